package compile_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/compile"
)

// A Service that nobody made takes nothing, says so, and can be closed.
func TestUnmade(t *testing.T) {
	for _, s := range []*compile.Service{nil, {}} {
		_, err := s.Submit(context.Background(), compile.Request{Source: "x", Name: "k.cu"})
		require.EqualError(t, err, "compile: submit k.cu: the service was not made by NewService")
		require.NoError(t, s.Shutdown(context.Background()))
		require.NoError(t, s.Close())
	}
}
