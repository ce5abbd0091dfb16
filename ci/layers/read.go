package main

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// A file is a Go file and what it imports.
type file struct {
	module  string // the module's path
	path    string // below the module's root, with slashes
	imports []imported
}

type imported struct {
	path string
	line int
}

func (f file) dir() string     { return path.Dir(f.path) }
func (f file) test() bool      { return strings.HasSuffix(f.path, "_test.go") }
func (f file) generated() bool { return generatedName.MatchString(path.Base(f.path)) }

var (
	generatedName = regexp.MustCompile(`^z[a-z0-9_]*\.go$`)
	moduleLine    = regexp.MustCompile(`(?m)^module\s+(\S+)`)
)

// read returns every Go file of the module at the root of fsys and of the modules further down, which are layers like
// the others. Folders that the go command skips are left out.
func read(fsys fs.FS) ([]file, error) {
	text, err := fs.ReadFile(fsys, "go.mod")
	if err != nil {
		return nil, err
	}
	match := moduleLine.FindSubmatch(text)
	if match == nil {
		return nil, errors.New("go.mod: no module line")
	}
	module := string(match[1])

	var files []file
	err = fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		hidden := name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_"))
		if entry.IsDir() {
			if hidden || base == "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		if hidden || path.Ext(name) != ".go" {
			return nil
		}
		parsed, err := readFile(fsys, name)
		if err != nil {
			return err
		}
		files = append(files, file{module: module, path: name, imports: parsed})
		return nil
	})
	return files, err
}

func readFile(fsys fs.FS, name string) ([]imported, error) {
	source, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	positions := token.NewFileSet()
	tree, err := parser.ParseFile(positions, name, source, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var all []imported
	for _, spec := range tree.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
		}
		all = append(all, imported{target, positions.Position(spec.Pos()).Line})
	}
	return all, nil
}
