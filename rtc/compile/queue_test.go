package compile_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/compile"
)

func TestPriorities(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{MaxThreads: 1})
	first := submit(t, s, "// wait\n")
	waitFor(t, func() bool { return rig.fake.Running() == 1 })
	var jobs []*compile.Job
	at := func(priority int, source string) {
		j, err := s.Submit(context.Background(), compile.Request{Source: source, Priority: priority})
		require.NoError(t, err)
		jobs = append(jobs, j)
	}
	for i, p := range []int{0, -1, 5, 0, 5, 1} {
		at(p, fmt.Sprint(i))
	}
	at(9, "1") // raises the one that is there
	rig.open()
	wait(t, first)
	for _, j := range jobs {
		wait(t, j)
	}
	assert.Equal(t, []string{"1", "2", "4", "5", "0", "3"}, rig.sources()[1:])
	assert.Equal(t, 1, rig.most)
}

func TestFullQueue(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{MaxThreads: 1, QueueSize: 2, Refuse: true, Store: memory()})
	known := wait(t, submit(t, s, kernel))
	jobs := []*compile.Job{submit(t, s, "// wait")}
	waitFor(t, func() bool { return rig.fake.Running() == 1 && s.Stats().Waiting == 0 })
	jobs = append(jobs, submit(t, s, "1"), submit(t, s, "2"))
	_, err := s.Submit(context.Background(), compile.Request{Source: "3", Name: "three.cu"})
	require.ErrorIs(t, err, compile.ErrQueueFull)
	assert.Equal(t, "compile: submit three.cu: the queue is full: 2 compiles wait", err.Error())
	// What needs no compile needs no place.
	assert.Equal(t, known.Entry, wait(t, submit(t, s, kernel)).Entry)
	jobs = append(jobs, submit(t, s, "2"))
	// One that gives up leaves its place.
	jobs[1].Cancel()
	waitFor(t, func() bool { return s.Stats().Waiting == 1 })
	jobs = append(jobs, submit(t, s, "4"))
	rig.open()
	for _, j := range slices.Delete(jobs, 1, 2) {
		wait(t, j)
	}
	assert.Equal(t, uint64(1), s.Stats().Refused)
}

func TestQueueThatBlocks(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{MaxThreads: 1, QueueSize: 1})
	submit(t, s, "// wait")
	waitFor(t, func() bool { return rig.fake.Running() == 1 && s.Stats().Waiting == 0 })
	submit(t, s, "1")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := s.Submit(ctx, compile.Request{Source: "2"})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	done := make(chan *compile.Job)
	go func() {
		j, err := s.Submit(context.Background(), compile.Request{Source: "3"})
		assert.NoError(t, err)
		done <- j
	}()
	rig.open()
	wait(t, <-done)
}
