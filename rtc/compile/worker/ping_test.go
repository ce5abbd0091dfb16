//go:build linux && (amd64 || arm64)

package worker_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// TestPing: it begins the worker that the next compile gets, and counts as none of
// the compiles after which that is replaced.
func TestPing(t *testing.T) {
	c, ctx := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4}), context.Background()
	p := newPool(t, worker.Config{Workers: 1, Jobs: 2})
	for range 10 {
		require.NoError(t, p.Ping(ctx, c))
	}
	waitFor(t, func() bool { return len(children()) == 2 }) // and the spare one
	before := children()
	_, err := p.Run(ctx, &compile.Request{Compiler: c, Source: axpy})
	require.NoError(t, err)
	assert.Equal(t, before, children())

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	assert.ErrorIs(t, p.Ping(cancelled, c), context.Canceled)
	require.NoError(t, p.Close())
	assert.ErrorIs(t, p.Ping(ctx, c), worker.ErrClosed)
	assert.ErrorContains(t, newPool(t, worker.Config{Path: "/bin/true"}).Ping(ctx, c), "worker: ping: ")
}
