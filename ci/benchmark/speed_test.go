//go:build !rtcalone

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// insideOf has a double of a version, with headers beside it.
func insideOf(t *testing.T, v dl.Version) (*inside, *nvrtctest.NVRTC) {
	root := t.TempDir()
	for name, text := range map[string]string{"lib64/libnvrtc.so": "double", "include/cuda_fp16.h": "", "include/cuda.h": "#define CUDA_VERSION 13000\n"} {
		file := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	fake := nvrtctest.New(nvrtctest.Config{Version: v, Path: filepath.Join(root, "lib64", "libnvrtc.so")})
	c, err := nvrtc.Bind(fake)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return &inside{c: c, folder: t.TempDir()}, fake
}

// Each way compiles with its own options, new sources, and no cache of NVRTC's own.
func TestPrecompiledHeaders(t *testing.T) {
	n, fake := insideOf(t, dl.Version{Major: 13, Minor: 0})
	all, err := n.headers(2)
	require.NoError(t, err)
	require.Empty(t, n.absent)
	require.Len(t, all, len(headerSources))
	seen, options := map[string]bool{}, map[string]int{}
	for _, c := range all {
		var names []string
		for _, w := range c.Ways {
			names = append(names, w.Name)
			require.False(t, w.Time.zero())
		}
		require.Equal(t, []string{"plain", "--pch, made before", "--use-pch, made before", "--create-pch", "compile.Precompiled"}, names)
	}
	for _, c := range fake.Compiles() {
		require.False(t, seen[c.Source])
		seen[c.Source] = true
		require.Contains(t, c.Options, "--no-cache")
		last := c.Options[len(c.Options)-1]
		switch {
		case strings.HasPrefix(last, "--pch-dir="):
			last = c.Options[len(c.Options)-2]
		case slices.Contains(c.Options, "--pch-messages=false"):
			last = "Precompiled"
		case strings.HasPrefix(last, "-I"):
			last = ""
		}
		options[last]++
	}
	// Each way once to see whether it works and three times by compare, two compiles make a header. Precompiled first
	// compiles plainly, then makes a file and uses it.
	each := len(headerSources)
	require.Equal(t, map[string]int{"": 5 * each, "Precompiled": 5 * each, "--pch": 5 * each, "--use-pch=own.pch": 4 * each, "--create-pch=own.pch": each, "--create-pch=anew.pch": 4 * each}, options)
}

// At once each compiler keeps to its folder.
func TestPrecompiledHeadersAtOnce(t *testing.T) {
	n, fake := insideOf(t, dl.Version{Major: 13, Minor: 0})
	r, err := concurrentHeaders(n.c, n.folder, 2)
	require.NoError(t, err)
	require.Empty(t, r.Absent)
	require.Len(t, r.Comparisons[0].Ways, 2)
	users := map[string]int{} // of a folder: a compiler's sources are numbered from a million of its own
	for _, c := range fake.Compiles() {
		if last := c.Options[len(c.Options)-1]; strings.HasPrefix(last, "--pch-dir=") {
			number, err := strconv.Atoi(strings.TrimSuffix(c.Source[strings.LastIndex(c.Source, "= ")+2:], ";\n"))
			require.NoError(t, err)
			if user, used := users[last]; used {
				require.InDelta(t, user, number, 1000)
			}
			users[last] = number
		}
	}
	require.Len(t, users, atOnce)
}

func TestOlderNVRTCs(t *testing.T) {
	n, _ := insideOf(t, dl.Version{Major: 12, Minor: 4})
	all, err := n.headers(2)
	require.NoError(t, err)
	require.Empty(t, all)
	require.Equal(t, []string{"headers of NVRTC 12.4: there are none here"}, n.absent, "those there are are of 13.0")
	require.NotContains(t, n.base(), "--no-cache")
}
