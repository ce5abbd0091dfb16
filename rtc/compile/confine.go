package compile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/purecuda/purecuda/nvrtc"
)

// Confine looks whether a request that comes from somebody else can have the
// compiler read files that don't lie in folders, and gives it with its options
// spelled anew, by nvrtc.SafeOptions, if it can't. It refuses a header that is
// named by a whole path or climbs, and isn't in folders; one that would be found
// elsewhere, through a link too; one whose name only the compiler comes to know;
// and the same of __has_include. Headers in memory, and those in folders, are looked
// through as the source is, and so are the exports, which NVRTC makes code of.
//
// It is for where the system itself doesn't keep files from the compiler, and a
// scan of text is less: a question by __has_include, whose name is pasted together
// from parts, it doesn't see, so that a source can find out whether a file exists;
// below the working directory any source can.
// Files that change meanwhile it doesn't see either. A header that is included by a
// macro is refused, though it may be a good one.
//
// Safe for concurrent use.
func Confine(ctx context.Context, r *Request, folders ...string) (*Request, error) {
	if r == nil {
		return nil, fmt.Errorf("compile: confine: %w", errNoRequest)
	}
	confined := *r
	var err error
	if confined.Options, err = nvrtc.SafeOptions(r.Options, folders...); err == nil {
		if err = confined.names(); err == nil {
			err = confined.look(ctx, folders)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("compile: confine %s: %w", r.label(), err)
	}
	return &confined, nil
}

// names looks at what is no text of a program, but becomes part of one, or of a
// path: headers are looked for beside files of these names.
func (r *Request) names() error {
	files := slices.Sorted(maps.Keys(r.Headers))
	if r.Name != "" {
		files = append(files, r.Name)
	}
	for _, name := range files {
		if !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsFunc(name, unicode.IsControl) || strings.Contains(name, `"`) {
			return fmt.Errorf("the name %q is not that of a file below the working directory", name)
		}
	}
	for _, x := range r.Exports {
		if strings.ContainsFunc(x, unicode.IsControl) {
			return fmt.Errorf("the export %q is more than a line", x)
		}
	}
	return nil
}

func (r *Request) look(ctx context.Context, folders []string) error {
	options := nvrtc.ParseOptions(r.Options)
	s := newSearch(ctx, machineFiles, r.Headers, options, newFields())
	s.permit = (&fence{folders: folders}).permit
	if err := s.whole(r, options); err != nil {
		return err
	}
	if s.unseen != "" {
		return fmt.Errorf("which files it reads can't be told: %s", s.unseen)
	}
	return nil
}

// A fence is the folders that files may lie in.
//
// Not safe for concurrent use.
type fence struct {
	folders []string
	led     []string // where they are, behind all links; nil: not looked for yet
}

// permit says whether the compiler may look at a file, for i.
func (f *fence) permit(name string, i include) error {
	whole, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	if !f.names(whole) {
		// Whether it exists is not to be told, unless it is the working directory's
		// own: then most sources, which name what isn't there, would be refused.
		if !filepath.IsLocal(filepath.FromSlash(i.name)) {
			return fmt.Errorf("%q is not in the folders for headers", i.name)
		}
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("%q would be found outside of the folders for headers", i.name)
		}
		return nil
	}
	led, err := behindLinks(name)
	if errors.Is(err, os.ErrNotExist) || isNoFolder(err) {
		return nil
	}
	if err == nil && !f.holds(led) {
		err = fmt.Errorf("%q leads out of the folders for headers", i.name)
	}
	return err
}

// reaches reports whether a file lies in the folders, whatever links lead to it.
func (f *fence) reaches(name string) bool {
	led, err := behindLinks(name)
	return err == nil && f.holds(led)
}

// names reports whether a whole path is in the folders as they are named.
func (f *fence) names(path string) bool {
	for _, folder := range f.folders {
		if whole, err := filepath.Abs(folder); err == nil && isIn(whole, path) {
			return true
		}
	}
	return false
}

// holds reports whether the file at a path without links is in the folders.
func (f *fence) holds(path string) bool {
	return slices.ContainsFunc(f.behindLinks(), func(folder string) bool { return isIn(folder, path) })
}

// behindLinks are where the folders are.
func (f *fence) behindLinks() []string {
	if f.led == nil {
		f.led = []string{}
		for _, folder := range f.folders {
			if led, err := behindLinks(folder); err == nil {
				f.led = append(f.led, led)
			}
		}
	}
	return f.led
}

// behindLinks is the whole path of a file, without links.
func behindLinks(name string) (string, error) {
	led, err := filepath.EvalSymlinks(name)
	if err == nil {
		led, err = filepath.Abs(led)
	}
	return led, err
}

// isIn reports whether a path is in a folder, or is that. A name of a device of
// Windows is local nowhere.
func isIn(folder, path string) bool {
	inside, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(inside)
}
