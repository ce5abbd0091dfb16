package corpus

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folders are where the sets lie, seen from this package.
//
// Safe for concurrent use; it must not be changed.
var Folders = []string{"../../../../../abi/ptx/testdata", "testdata/sets"}

// A Set is the PTX that one NVRTC made with one set of options.
//
// Safe for concurrent use after it is made; its fields must not change.
type Set struct {
	Name  string            // "nvrtc-12.4-compute_80"
	Texts map[string]string // by file: "01_axpy"
}

// Sets reads all sets, in the order of their names.
//
// Safe for concurrent use.
func Sets() ([]*Set, error) {
	var all []*Set
	for _, folder := range Folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.tar.gz"))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			s, err := readSet(f)
			if err != nil {
				return nil, err
			}
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no sets of PTX")
	}
	slices.SortFunc(all, func(a, b *Set) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

func readSet(path string) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	s := &Set{Name: strings.TrimSuffix(filepath.Base(path), ".tar.gz"), Texts: map[string]string{}}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return s, nil
		}
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		s.Texts[strings.TrimSuffix(h.Name, ".ptx")] = string(text)
	}
}
