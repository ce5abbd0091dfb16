package compile_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/compile"
)

func TestBatch(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{Store: memory()})
	archs := []nvrtc.Arch{nvrtc.Real(8, 0), nvrtc.Real(9, 0), nvrtc.Virtual(7, 5)}
	jobs, err := s.Batch(context.Background(), compile.Request{Source: kernel, Options: []string{"-DX", "-arch", "sm_75", "-I", "x"}}, archs...)
	require.NoError(t, err)
	for i, j := range jobs {
		r := wait(t, j)
		assert.Equal(t, archs[i].String(), r.Entry.Arch)
		assert.Equal(t, []string{"--gpu-architecture=" + archs[i].String(), "-DX", "-I", "x"}, j.Request().Options)
	}
	s.Close()
	_, err = s.Batch(context.Background(), compile.Request{Source: kernel}, archs...)
	assert.ErrorIs(t, err, compile.ErrClosed)
}

func TestWarm(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{MaxThreads: 2, QueueSize: 1, Refuse: true, Store: memory()})
	var requests []compile.Request
	for i := range 20 {
		source := fmt.Sprintf("%s// %d", kernel, i%10)
		if i == 13 {
			source = "#error no"
		}
		requests = append(requests, compile.Request{Source: source})
	}
	var told []compile.Progress
	err := s.Warm(context.Background(), requests, func(p compile.Progress) { told = append(told, p) })
	var refused *nvrtc.CompileError
	require.ErrorAs(t, err, &refused)
	require.Len(t, told, 20)
	seen := map[int]bool{}
	for i, p := range told {
		assert.Equal(t, i+1, p.Done)
		assert.Equal(t, 20, p.Total)
		assert.Equal(t, p.Request == 13, p.Err != nil)
		seen[p.Request] = true
	}
	assert.Len(t, seen, 20)
	assert.Len(t, rig.fake.Compiles(), 11)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.ErrorIs(t, s.Warm(ctx, requests, nil), context.Canceled)
}

// A progress that panics does so where its caller can recover, and what is left of Warm ends.
func TestWarmPanics(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{MaxThreads: 2, Store: memory()})
	requests := []compile.Request{{Source: kernel}, {Source: "// wait"}, {Source: "// wait 2"}}
	assert.PanicsWithValue(t, "no", func() {
		_ = s.Warm(t.Context(), requests, func(compile.Progress) { panic("no") })
	})
	waitFor(t, func() bool { n := s.Stats(); return n.Running == 0 && n.Waiting == 0 })
}
