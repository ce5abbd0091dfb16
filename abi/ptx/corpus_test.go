package ptx_test

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A sample is one PTX file of testdata.
type sample struct{ archive, name, text string }

func (s sample) String() string { return s.archive + "/" + s.name }

var loadCorpus = sync.OnceValues(func() ([]sample, error) {
	archives, err := filepath.Glob("testdata/*.tar.gz")
	if err != nil {
		return nil, err
	}
	sort.Strings(archives)
	var all []sample
	for _, a := range archives {
		list, err := readArchive(a)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
})

func readArchive(path string) ([]sample, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var list []sample
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		b, err := io.ReadAll(t)
		if err != nil {
			return nil, err
		}
		list = append(list, sample{strings.TrimSuffix(filepath.Base(path), ".tar.gz"), h.Name, string(b)})
	}
}

func corpus(t testing.TB) []sample {
	t.Helper()
	all, err := loadCorpus()
	require.NoError(t, err)
	require.Greater(t, len(all), 700)
	return all
}

// find returns the sample of that archive and name.
func find(t testing.TB, archive, name string) string {
	t.Helper()
	for _, s := range corpus(t) {
		if s.archive == archive && s.name == name {
			return s.text
		}
	}
	require.Fail(t, "no such sample", "%s/%s", archive, name)
	return ""
}

func parse(t testing.TB, text string) *ptx.Module {
	t.Helper()
	m, err := ptx.Parse(text)
	require.NoError(t, err)
	return m
}
