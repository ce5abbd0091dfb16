package compile_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/compile"
)

// TestPrecompiledCancelled: a compile that was stopped leaves nothing, and spoils nothing.
func TestPrecompiledCancelled(t *testing.T) {
	h := newHeads(t, newRig(t, stoppable), 0)
	ctx, cancel := context.WithCancel(context.Background())
	request := func() *compile.Request { return h.request("// wait\n" + withHeader) }
	var group sync.WaitGroup
	for range 2 {
		r := request()
		group.Go(func() {
			_, err := h.Run(ctx, r)
			assert.ErrorIs(t, err, context.Canceled)
		})
	}
	waitFor(t, func() bool { return h.fake.Running() == 2 })
	cancel()
	group.Wait()
	waitFor(t, func() bool { return h.fake.Running() == 0 })
	h.open()
	assert.Zero(t, h.Stats())
	waitFor(t, func() bool { return h.run(request()) == "create" }) // once it is known that the first is through
	assert.Equal(t, "use", h.run(request()))
}

// cancelled has a compile begin and ends its context, which NVRTC need not heed.
func (h *heads) cancelled(r *compile.Request) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		_, err := h.Run(ctx, r)
		ended <- err
	}()
	waitFor(h.t, func() bool { return h.fake.Running() == 1 })
	cancel()
	assert.ErrorIs(h.t, <-ended, context.Canceled)
}

// TestPrecompiledLingers: NVRTC may write a file when nobody waits for it any more, and
// when all is closed.
func TestPrecompiledLingers(t *testing.T) {
	for _, closed := range []bool{false, true} {
		h := newHeads(t, newRig(t, stoppable), 0)
		request := func() *compile.Request { return h.request("// linger\n" + withHeader) }
		h.open()
		assert.Equal(t, "", h.run(request()))
		h.shut()
		scratch, err := filepath.Glob(filepath.Join(h.folder, "*"))
		require.NoError(t, err)
		require.Len(t, scratch, 1)
		h.cancelled(request())
		if closed {
			require.NoError(t, h.Close())
			require.NoError(t, os.Mkdir(scratch[0], 0o700)) // as if it hadn't gone
		}
		h.open()
		waitFor(t, func() bool { return h.fake.Running() == 0 })
		gone := func() bool {
			left, _ := filepath.Glob(filepath.Join(h.folder, "*", "*.pch"))
			_, err := os.Stat(scratch[0])
			return len(left) == 0 && closed == os.IsNotExist(err)
		}
		assert.Eventually(t, gone, patience, time.Millisecond)
		assert.Zero(t, h.Stats())
		if !closed {
			waitFor(t, func() bool { return h.run(request()) == "create" }) // once it is known that the first is through
		}
	}
}

// TestPrecompiledUseCancelled: who stops compiles takes no file away from others.
func TestPrecompiledUseCancelled(t *testing.T) {
	h := newHeads(t, newRig(t, stoppable), 0)
	request := func() *compile.Request { return h.request("// wait\n" + withHeader) }
	h.open()
	for _, how := range []string{"", "create", "use"} {
		assert.Equal(t, how, h.run(request()))
	}
	h.shut()
	for range 3 {
		h.cancelled(request())
		waitFor(t, func() bool { return h.fake.Running() == 0 })
	}
	h.open()
	assert.Equal(t, "use", h.run(request()))
	assert.Zero(t, h.Stats().Failed)
}

// TestPrecompiledDropped: that a file had to go for another while it was about to be
// read is no fault of it, after which none would be made.
func TestPrecompiledDropped(t *testing.T) {
	r := newRig(t, stoppable)
	h := newHeads(t, r, 0)
	waiting := func() *compile.Request { return h.request("// wait\n" + withHeader) }
	r.open()
	for range 2 {
		h.run(waiting())
	}
	h = newHeads(t, r, h.Stats().Bytes*3/2) // one and not two
	h.run(waiting())
	for i := range 3 {
		assert.Equal(t, "create", h.run(waiting()))
		r.shut()
		var group sync.WaitGroup
		request := waiting()
		group.Go(func() {
			_, err := h.Run(context.Background(), request)
			assert.NoError(t, err)
		})
		waitFor(t, func() bool { return h.fake.Running() == 1 })
		for range 2 { // the second one makes a file
			r := h.request(withHeader)
			r.Name = fmt.Sprint(i)
			_, err := h.Run(context.Background(), r)
			require.NoError(t, err)
		}
		r.open()
		group.Wait()
		assert.EqualValues(t, i+1, h.Stats().Failed)
	}
}

// TestPrecompiledUnproved: where the compile that is to prove a file is stopped, its
// caller still has what was compiled, and the file isn't kept.
func TestPrecompiledUnproved(t *testing.T) {
	h := newHeads(t, newRig(t, stoppable), 0)
	request := func() *compile.Request {
		r := h.request("// tarry\n" + withHeader)
		r.Source += "#error no\n"
		return r
	}
	assert.Equal(t, "", h.run(request()))
	before := len(h.fake.Compiles())
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		_, err := h.Run(ctx, request())
		ended <- err
	}()
	waitFor(t, func() bool { return len(h.fake.Compiles()) == before+1 && h.fake.Running() == 1 }) // the one behind that which makes it
	cancel()
	assert.ErrorContains(t, <-ended, "#error directive: no")
	waitFor(t, func() bool { return h.fake.Running() == 0 })
	assert.Zero(t, h.Stats())
	h.open()
	assert.Equal(t, "create, use", h.run(request()))
}
