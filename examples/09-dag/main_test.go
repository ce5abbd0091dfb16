package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/examples/internal/need"
)

func TestDag(t *testing.T) {
	folder := t.TempDir()
	var out strings.Builder
	need.NVRTC(t, run(&out, folder))
	lines := strings.Split(out.String(), "\n")
	require.GreaterOrEqual(t, len(lines), 6)
	assert.Equal(t, []string{
		"stream 0: A B C",
		"stream 1: D",
		"an event behind A, for D",
		"over streams: z = [2 3 4]… w = [2 2 2]…",
	}, lines[:4])
	assert.Contains(t, lines[4], ", from 100 on: z = [102 103 104]… w = [2 2 2]…")
	assert.Contains(t, lines[5], "measured: ")
	picture, err := os.ReadFile(filepath.Join(folder, "dag.svg"))
	require.NoError(t, err)
	assert.Contains(t, string(picture), ">stream 1</text>")
	trace, err := os.ReadFile(filepath.Join(folder, "dag.json"))
	require.NoError(t, err)
	assert.True(t, json.Valid(trace))
}
