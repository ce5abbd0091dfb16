package jitlink_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/jitlink"
)

// A library that is called nvJitLink, and is none, does not end the search.
func TestOpenPassesOverWhatIsNoNVJitLink(t *testing.T) {
	real, err := filepath.EvalSymlinks(library(t).Path())
	require.NoError(t, err)
	other, _ := filepath.Glob("/lib/*-linux-gnu/libm.so.6")
	if len(other) == 0 {
		require.NotContains(t, os.Getenv("PURECUDA_REQUIRE"), "nvjitlink", "no libm where Debian has it")
		t.Skip("no libm where Debian has it")
	}
	folder := t.TempDir()
	bad := filepath.Join(folder, "libnvJitLink.so.19")
	require.NoError(t, os.Symlink(other[0], bad))
	_, err = jitlink.Open(jitlink.Config{Path: folder})
	require.ErrorContains(t, err, "has no nvJitLinkCreate")

	require.NoError(t, os.Symlink(real, filepath.Join(folder, "libnvJitLink.so.12")))
	l, err := jitlink.Open(jitlink.Config{Path: folder})
	require.NoError(t, err)
	found, err := filepath.EvalSymlinks(l.Path())
	require.NoError(t, err)
	require.Equal(t, real, found)
}
