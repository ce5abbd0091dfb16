package driver_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
)

func TestGPUGraphs(t *testing.T) {
	d, c := gpu(t)
	testGraphs(t, d, c)
	g, err := c.NewGraph()
	require.NoError(t, err)
	_, err = g.AddEmpty()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "g.dot")
	require.NoError(t, g.DOT(path))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "digraph")
}

// What can't be done while a stream is captured is explained.
func TestGPUCaptureErrors(t *testing.T) {
	_, c := gpu(t)
	s := stream(t, c)
	require.NoError(t, s.BeginCapture())
	status, err := s.Capturing()
	require.NoError(t, err)
	require.Equal(t, driver.CaptureActive, status)
	err = s.Synchronize()
	require.ErrorIs(t, err, driver.StreamCaptureUnsupported)
	require.ErrorContains(t, err, "captured into a graph")
	_, err = s.EndCapture()
	require.Error(t, err)
	require.NoError(t, s.Synchronize())
	require.NoError(t, c.Health())
}
