package dl

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A fake is a machine in memory: what its environment says, which files it has
// and what they are.
type fake struct {
	goos, goarch string
	env          map[string]string
	files        []string          // that can be opened
	links        map[string]string // symbolic links to files, by path
	bad          map[string]error  // that exist and can't be opened
	loader       []string          // names that the system's loader finds by itself
	loaded       []string
	cache        []byte // ld.so.cache
}

func (f *fake) machine() *machine {
	m := &machine{goos: f.goos, goarch: f.goarch, getenv: func(n string) string { return f.env[n] }}
	if m.goos == "" {
		m.goos = "linux"
	}
	if m.goarch == "" {
		m.goarch = "amd64"
	}
	all := slices.Clone(f.files)
	for p := range f.links {
		all = append(all, p)
	}
	for p := range f.bad {
		all = append(all, p)
	}
	m.environ = func() (out []string) {
		for n, v := range f.env {
			out = append(out, n+"="+v)
		}
		return out
	}
	m.readDir = func(folder string) ([]string, error) {
		set := map[string]bool{}
		for _, p := range all {
			prefix := strings.TrimSuffix(f.slash(folder), "/") + "/"
			if strings.HasPrefix(f.slash(p), prefix) {
				name, _ := cutAny(p[len(prefix):], m.separators())
				set[name] = true
			}
		}
		if len(set) == 0 {
			return nil, fs.ErrNotExist
		}
		var names []string
		for n := range set {
			names = append(names, n)
		}
		slices.Sort(names)
		return names, nil
	}
	m.stat = func(p string) (exists, isDir bool) {
		if slices.ContainsFunc(all, func(file string) bool { return f.slash(file) == f.slash(p) }) {
			return true, false
		}
		_, err := m.readDir(p)
		return err == nil, err == nil
	}
	m.readFile = func(string) ([]byte, error) { return f.cache, nil }
	m.realPath = func(p string) string {
		if to := f.links[p]; to != "" {
			return path.Join(path.Dir(p), to)
		}
		return p
	}
	m.loaded = func(Spec) []string { return f.loaded }
	m.open = func(c candidate) (*Library, error) {
		if c.kind == bareName {
			for _, p := range f.loader {
				if m.base(p) == c.file {
					return &Library{path: p}, nil
				}
			}
			return nil, errors.New("not found")
		}
		if err := f.bad[c.file]; err != nil {
			return nil, err
		}
		if exists, isDir := m.stat(c.file); !exists || isDir {
			return nil, fs.ErrNotExist
		}
		return &Library{path: c.file}, nil
	}
	return m
}

// slash is a path as it would be written elsewhere.
func (f *fake) slash(p string) string {
	if f.goos == "windows" {
		return strings.ToLower(strings.ReplaceAll(p, `\`, "/"))
	}
	return p
}

// order runs a search in which the caller refuses everything, and gives the
// files in the order they were tried.
func (f *fake) order(t *testing.T, s Spec, given string) []string {
	t.Helper()
	refusal := errors.New("no thanks")
	var paths []string
	_, err := s.search(f.machine(), given, func(l *Library) error {
		paths = append(paths, l.Path())
		return refusal
	})
	require.Error(t, err)
	return paths
}
