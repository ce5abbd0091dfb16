package rtc_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
)

// TestOneStreamTracksNothing: before there is a second stream each operation is the one call of the driver that does it, and again when there is none
// any more.
func TestOneStreamTracksNothing(t *testing.T) {
	r := newRig(t, plain)
	axpy := kernel(t, kernels(t), "axpy", axpySignature)
	x, y := array(t, r.dev, float32(1)), array(t, r.dev, float32(2))
	one, s := rtc.Dim(1), r.dev.Stream()
	run, err := axpy.Prepare(r.dev, one, one, 0, x, y, 1, 1)
	require.NoError(t, err)
	calls := func() (names []string) {
		require.NoError(t, r.dev.Synchronize(t.Context()))
		r.double.Forget()
		require.NoError(t, axpy.Enqueue(s, one, one, 0, x, y, 1, 1))
		require.NoError(t, run.Enqueue(s))
		require.NoError(t, s.Copy(y, x))
		for _, c := range r.double.Calls() {
			names = append(names, c.Function)
		}
		return names
	}
	bare := []string{"cuLaunchKernelEx", "cuLaunchKernelEx", "cuMemcpyDtoDAsync_v2"}
	require.Equal(t, bare, calls())
	other, err := r.dev.NewStream(rtc.StreamConfig{Priority: -3})
	require.NoError(t, err)
	made := r.double.Calls("cuStreamCreateWithPriority")
	require.Equal(t, int32(-3), int32(made[len(made)-1].Args[2]))
	for range 2 * ringLength { // after which there are the events
		require.NoError(t, s.Copy(y, x))
	}
	require.Len(t, calls(), 2*len(bare), "an event behind each")
	require.NoError(t, other.Close())
	require.Equal(t, bare, calls())
	require.NoError(t, x.Close())
	require.NoError(t, y.Close())
}

// TestUnordered: such a launch waits for nothing, and what comes later waits for it.
func TestUnordered(t *testing.T) {
	dev := simulated(t)
	mix, err := tangleModule(t).Kernel("mix", "const unsigned *a, const unsigned *b, unsigned *c, unsigned k")
	require.NoError(t, err)
	free := mix.With(rtc.LaunchOptions{Unordered: true})
	var a [4]*rtc.Array
	for i := range a {
		a[i], err = rtc.Zeros[uint32](dev, width)
		require.NoError(t, err)
	}
	other, err := dev.NewStream(rtc.StreamConfig{})
	require.NoError(t, err)
	one, block := rtc.Dim(1), rtc.Dim(width)
	require.NoError(t, dev.Synchronize(t.Context()))

	gate := gateIn(t, other)
	require.NoError(t, mix.Enqueue(other, one, block, 0, a[0], a[0], a[1], 1)) // a[1] = 1
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, free.LaunchContext(ctx, dev, one, block, 0, a[1], a[1], a[2], 5)) // a[2] = 5, since a[1] is 0
	short, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	require.ErrorIs(t, mix.LaunchContext(short, dev, one, block, 0, a[1], a[1], a[3], 0), context.DeadlineExceeded)
	gate <- struct{}{}
	require.NoError(t, dev.Synchronize(t.Context()))

	gate = gateIn(t, dev.Stream())
	require.NoError(t, free.Enqueue(dev.Stream(), one, block, 0, a[0], a[0], a[2], 6)) // a[2] = 21
	require.NoError(t, other.Copy(a[3], a[2]))
	short, stop = context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	require.ErrorIs(t, other.Synchronize(short), context.DeadlineExceeded)
	gate <- struct{}{}
	out, err := rtc.ToSlice[uint32](a[3])
	require.NoError(t, err)
	require.Equal(t, uint32(21), out[0])
}

// TestReadersWaitForTheirs: who reads, overwrites or closes an array waits for what uses it, and for nothing else.
func TestReadersWaitForTheirs(t *testing.T) {
	dev := simulatedAs(t, sim.Config{}, rtc.OpenConfig{Pool: &rtc.PoolConfig{}})
	defer func() { require.NoError(t, dev.Close()) }()
	x, err := rtc.Full[uint32](dev, 3, 4)
	require.NoError(t, err)
	y, err := rtc.Full[uint32](dev, 4, 4)
	require.NoError(t, err)
	half, err := y.Slice(2, 4)
	require.NoError(t, err)
	other, err := dev.NewStream(rtc.StreamConfig{})
	require.NoError(t, err)
	gate := gateIn(t, other)
	require.NoError(t, other.Copy(y, x)) // reads x, writes y
	done := make(chan error, 2)
	go func() {
		_, err := rtc.ToSlice[uint32](x)
		done <- err
	}()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-time.After(patience):
		t.Fatal("a reader waits for another reader")
	}
	for _, a := range []*rtc.Array{y, half} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		_, err = rtc.ToSliceContext[uint32](ctx, a)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		cancel()
	}
	go func() { done <- rtc.CopyFromSlice(x, []uint32{7, 7, 7, 7}) }()
	go func() { done <- y.Close() }()
	require.NoError(t, <-done, "with a pool it waits for nothing")
	select {
	case err := <-done:
		t.Fatal("x was overwritten before it was read", err)
	case <-time.After(10 * time.Millisecond):
	}
	gate <- struct{}{}
	require.NoError(t, <-done)
	out, err := rtc.ToSlice[uint32](x)
	require.NoError(t, err)
	assert.Equal(t, []uint32{7, 7, 7, 7}, out)
}
