package engine

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// corpusDir has PTX that NVRTCs made of kernels of every kind.
const corpusDir = "../../../../abi/ptx/testdata"

// corpusText is a PTX text of it: "nvrtc-12.4-compute_80", "01_axpy".
func corpusText(t testing.TB, set, name string) string {
	t.Helper()
	var found string
	eachCorpus(t, set, func(file, text string) {
		if file == name {
			found = text
		}
	})
	require.NotEmpty(t, found, "%s has no %s", set, name)
	return found
}

// eachCorpus calls f with every text of a set.
func eachCorpus(t testing.TB, set string, f func(name, text string)) {
	t.Helper()
	kept.Lock()
	texts, ok := kept.texts[set]
	if !ok {
		texts = readCorpus(t, set)
		kept.texts[set] = texts
	}
	kept.Unlock()
	for _, x := range texts {
		f(x[0], x[1])
	}
}

// kept are the sets that were read: names and texts.
var kept = struct {
	sync.Mutex
	texts map[string][][2]string
}{texts: map[string][][2]string{}}

func readCorpus(t testing.TB, set string) (texts [][2]string) {
	t.Helper()
	file, err := os.Open(filepath.Join(corpusDir, set+".tar.gz"))
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return texts
		}
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		texts = append(texts, [2]string{strings.TrimSuffix(h.Name, ".ptx"), string(text)})
	}
}

// corpusSets are the names of the sets.
func corpusSets(t testing.TB) (sets []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpusDir, "*.tar.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		sets = append(sets, strings.TrimSuffix(filepath.Base(f), ".tar.gz"))
	}
	return sets
}

// loadText parses and decodes a text for a memory of its own.
func loadText(t testing.TB, text string) (*Program, *Memory) {
	t.Helper()
	m, err := ptx.Parse(text)
	require.NoError(t, err)
	memory := NewMemory(1 << 30)
	p, err := Load(m, LoadConfig{Arch: 90, Memory: memory})
	require.NoError(t, err)
	return p, memory
}
