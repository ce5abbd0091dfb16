package dl

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A machine is what a search looks at: the environment and the file system, or
// a test's idea of them.
type machine struct {
	goos, goarch string
	getenv       func(name string) string
	environ      func() []string
	readDir      func(folder string) (names []string, err error)
	stat         func(path string) (exists, isDir bool)
	readFile     func(path string) ([]byte, error)
	realPath     func(path string) string // symbolic links resolved; path itself if that fails
	loaded       func(s Spec) []string    // files of that library in this process
	open         func(c candidate) (*Library, error)
}

// thisMachine is the one that the program runs on.
func thisMachine() *machine {
	return &machine{
		goos:    runtime.GOOS,
		goarch:  runtime.GOARCH,
		getenv:  os.Getenv,
		environ: os.Environ,
		readDir: func(folder string) ([]string, error) {
			entries, err := os.ReadDir(folder)
			if err != nil {
				return nil, err
			}
			names := make([]string, len(entries))
			for i, e := range entries {
				names[i] = e.Name()
			}
			return names, nil
		},
		stat: func(path string) (exists, isDir bool) {
			info, err := os.Stat(path)
			return err == nil, err == nil && info.IsDir()
		},
		readFile: os.ReadFile,
		realPath: realPath,
		loaded:   loaded,
		open:     openCandidate,
	}
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// join puts a path together with the machine's own separator, which need not
// be that of the machine this runs on.
func (m *machine) join(parts ...string) string {
	if m.goos != "windows" {
		return path.Join(parts...)
	}
	var out []string
	for _, p := range parts {
		out = append(out, strings.TrimRight(p, `\/`))
	}
	return strings.Join(out, `\`)
}

// base is the last part of a path.
func (m *machine) base(file string) string {
	return file[m.lastSeparator(file)+1:]
}

// dir is what stands before the last part of a path, "" if nothing does.
func (m *machine) dir(file string) string {
	return file[:max(0, m.lastSeparator(file))]
}

func (m *machine) lastSeparator(file string) int {
	if m.goos == "windows" {
		return strings.LastIndexAny(file, `\/:`)
	}
	return strings.LastIndexByte(file, '/')
}

// list splits an environment variable that lists folders, such as PATH.
func (m *machine) list(variable string) []string {
	return strings.FieldsFunc(m.getenv(variable), func(r rune) bool {
		return r == ';' || r == ':' && m.goos != "windows"
	})
}

// expand gives the paths that a pattern stands for: each part may hold stars.
// A pattern without stars stands for itself, whether it exists or not.
func (m *machine) expand(pattern string) []string {
	star := strings.IndexByte(pattern, '*')
	if star < 0 {
		return []string{pattern}
	}
	parent := pattern[:max(0, m.lastSeparator(pattern[:star]))]
	rest := strings.TrimLeft(pattern[len(parent):], `\/`)
	part, rest := cutAny(rest, m.separators())
	names, err := m.readDir(parent)
	if err != nil {
		return nil
	}
	slices.Sort(names)
	var out []string
	for _, name := range names {
		if ok, _ := path.Match(part, name); !ok {
			continue
		}
		p := m.join(parent, name)
		if rest != "" {
			p = m.join(p, rest)
		}
		out = append(out, m.expand(p)...)
	}
	return out
}

func (m *machine) separators() string {
	if m.goos == "windows" {
		return `\/`
	}
	return "/"
}

func cutAny(s, chars string) (before, after string) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i+1:]
	}
	return s, ""
}
