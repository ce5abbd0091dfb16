package nvrtc_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// buildOf is what Build says of an NVRTC whose file is path.
func buildOf(t *testing.T, path string) string {
	c, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{Path: path}))
	require.NoError(t, err)
	defer c.Close()
	return c.Build()
}

func TestBuildOfFiles(t *testing.T) {
	assert.Empty(t, buildOf(t, "libnvrtc.so"), "no such file")
	folder := t.TempDir()
	assert.Empty(t, buildOf(t, folder))
	write := func(folder, name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	big := string(make([]byte, 300<<10))
	path := write(folder, "libnvrtc.so.12", "\x7fELF one"+big+"end")
	first := buildOf(t, path)
	assert.Len(t, first, 64)

	// The same files elsewhere, by a link.
	other := t.TempDir()
	write(other, "libnvrtc.so.12.4", "\x7fELF one"+big+"end")
	link := filepath.Join(other, "libnvrtc.so")
	require.NoError(t, os.Symlink("libnvrtc.so.12.4", link))
	assert.Equal(t, first, buildOf(t, link))

	seen := map[string]bool{first: true}
	differs := func(why string) {
		t.Helper()
		build := buildOf(t, path)
		assert.Len(t, build, 64)
		assert.False(t, seen[build], why)
		seen[build] = true
	}
	write(folder, "libnvrtc.so.12", "\x7fELF two"+big+"end")
	differs("another head")
	write(folder, "libnvrtc.so.12", "\x7fELF one"+big+"END")
	differs("another tail")
	write(folder, "libnvrtc.so.12", "\x7fELF one"+big+"\x00end")
	differs("another size")
	builtins := write(folder, "libnvrtc-builtins.so.12.4", "builtins")
	differs("builtins beside it")
	with := buildOf(t, path)
	require.NoError(t, os.Symlink(builtins, filepath.Join(folder, "libnvrtc-builtins.so")))
	assert.Equal(t, with, buildOf(t, path), "a link to them is no other file")
	write(folder, "libnvrtc-builtins.so.12.4", "Builtins")
	differs("other builtins")
}
