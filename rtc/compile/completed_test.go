package compile_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/purecuda/purecuda/rtc/compile"
)

func TestCompleted(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{MaxThreads: 2, Store: memory()})
	ended := s.Completed(context.Background())
	ctx, cancel := context.WithCancel(context.Background())
	cancelled := s.Completed(ctx)
	slow := submit(t, s, "// wait")
	waitFor(t, func() bool { return rig.fake.Running() == 1 })
	fast := submit(t, s, kernel)
	wait(t, fast)
	failed := submit(t, s, "#error x")
	_, _ = failed.Wait(context.Background())
	gone := submit(t, s, "// wait 2")
	gone.Cancel()
	again := submit(t, s, kernel)
	wait(t, again)
	rig.open()
	wait(t, slow)
	var got []*compile.Job
	for j := range ended {
		got = append(got, j)
		if len(got) == 5 {
			go func() { assert.NoError(t, s.Close()) }()
		}
	}
	for range ended {
		t.Error("it was ranged over")
	}
	want := []*compile.Job{fast, failed, gone, again, slow}
	for i, j := range got {
		assert.Equal(t, slices.Index(want, j), i)
		_, err := j.Result()
		assert.NotErrorIs(t, err, compile.ErrNotDone)
	}
	cancel()
	for range cancelled {
		t.Error("its context has ended")
	}
	for range s.Completed(context.Background()) {
		t.Error("the service was closed")
	}
}

// Whoever ranges over the jobs a second time doesn't wait until ctx ends.
func TestCompletedTwice(t *testing.T) {
	s := newRig(t, stoppable).service(compile.Config{Store: memory()})
	jobs := s.Completed(t.Context())
	wait(t, submit(t, s, kernel))
	n := 0
	for range jobs {
		n++
		break
	}
	wait(t, submit(t, s, kernel+"// 2"))
	for range jobs {
		n++
	}
	assert.Equal(t, 1, n)
}
