package worker_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

func TestNilAndZero(t *testing.T) {
	for _, p := range []*worker.Pool{nil, {}} {
		_, err := p.Run(context.Background(), &compile.Request{Compiler: &nvrtc.Compiler{}})
		require.EqualError(t, err, "worker: run: the Pool was not made by NewPool")
		require.EqualError(t, p.Ping(context.Background(), &nvrtc.Compiler{}), "worker: ping: the Pool was not made by NewPool")
		require.False(t, p.Walls().Seccomp)
		require.NoError(t, p.Close())
	}
	p, err := worker.NewPool(worker.Config{})
	require.NoError(t, err)
	defer p.Close()
	_, err = p.Run(context.Background(), nil)
	require.EqualError(t, err, "worker: run: the request is nil")
	_, err = p.Run(context.Background(), &compile.Request{Source: "x"})
	require.EqualError(t, err, "worker: run: the request has no Compiler")
	require.EqualError(t, p.Ping(context.Background(), nil), "worker: ping: the compiler is nil")
}
