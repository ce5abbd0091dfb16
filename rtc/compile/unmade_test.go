package compile_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A Service that nobody made takes nothing, says so, and can be closed.
func TestUnmade(t *testing.T) {
	ctx := context.Background()
	const why = "the service was not made by NewService"
	for _, s := range []*compile.Service{nil, {}} {
		r := compile.Request{Source: "x", Name: "k.cu"}
		_, err := s.Submit(ctx, r)
		require.EqualError(t, err, "compile: submit k.cu: "+why)
		_, err = s.Lookup(ctx, r)
		require.EqualError(t, err, "compile: look up k.cu: "+why)
		_, err = s.Batch(ctx, r, nvrtc.Arch{})
		require.ErrorContains(t, err, why)
		require.EqualError(t, s.Warm(ctx, []compile.Request{r, r}, func(compile.Progress) { t.Error("progress") }), "compile: warm: "+why)
		require.EqualError(t, s.Warm(ctx, nil, nil), "compile: warm: "+why)
		for range s.Completed(ctx) { // the context doesn't end
			t.Error("a job")
		}
		require.Zero(t, s.Stats())
		require.NoError(t, s.Shutdown(ctx))
		require.NoError(t, s.Close())
	}
}

// A Job that nobody submitted is done: who waits for it is told.
func TestUnmadeJob(t *testing.T) {
	const why = "the job was not made by Submit"
	for _, j := range []*compile.Job{nil, {}} {
		_, err := j.Wait(context.Background())
		assert.EqualError(t, err, "compile: wait: "+why)
		_, err = j.Result()
		assert.EqualError(t, err, "compile: result: "+why)
		assert.Nil(t, j.Request())
		j.Cancel()
		select {
		case <-j.Done():
		default:
			t.Error("it is not done")
		}
	}
}
