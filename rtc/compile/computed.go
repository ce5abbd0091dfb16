package compile

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/nvrtc"
)

// soMany is what a search can't go through.
const soMany = "too many #define"

// A diskFile is one that a search has read.
type diskFile struct {
	name string
	*file
}

// compute follows what headers on disk include by macros: libraries do, and who
// includes those can't write it otherwise. Each macro is taken as it is defined
// anywhere that the search has come to. What is found may define others.
func (s *search) compute(r *Request, options nvrtc.OptionList) error {
	if !slices.ContainsFunc(s.read, func(f diskFile) bool { return len(f.found.computed) > 0 }) {
		return nil
	}
	var given strings.Builder
	for _, o := range options {
		if o.Name == "--define-macro" {
			name, value, has := strings.Cut(o.Value, "=")
			if !has {
				value = "1"
			}
			given.WriteString("#define " + name + " " + value + "\n")
		}
	}
	if slices.ContainsFunc(r.Exports, func(x string) bool { return strings.ContainsAny(x, "\n\r") }) {
		// They may hold directives, of which the last goes on in what NVRTC writes behind.
		s.cannotSee("#include of a macro, beside exports of several lines")
		return nil
	}
	known := macros{left: mostWork}
	for _, text := range append(slices.Collect(maps.Values(r.Headers)), given.String(), r.Source) {
		d, ok := define([]byte(text))
		if !ok {
			s.cannotSee(soMany)
			return nil
		}
		known.known = append(known.known, d)
	}
	type found struct {
		i    include
		from string
	}
	followed := map[found]bool{}
	files := 0
	for before := -1; before != len(followed); {
		before = len(followed)
		for ; files < len(s.read); files++ {
			d, err := s.disk.definitions(s.read[files])
			if err != nil {
				s.cannotSee(err.Error())
				return nil
			}
			known.known = append(known.known, d)
		}
		for _, file := range s.read {
			for _, c := range file.found.computed {
				all, ok := known.includes(c.expression, c.next)
				if !ok {
					s.cannotSee(byMacro + " in " + file.name)
					return nil
				}
				for _, i := range all {
					if f := (found{i, file.name}); !followed[f] {
						followed[f] = true
						if err := s.follow(i, file.name, folderOf(file.name)); err != nil {
							return err
						}
					}
				}
			}
		}
	}
	return nil
}

// definitions are those of a file that read gave. It is read again when they are
// first asked for.
func (f *files) definitions(read diskFile) (definitions, error) {
	if d := read.defines.Load(); d != nil {
		return *d, nil
	}
	text, err := os.ReadFile(read.name)
	if err != nil {
		return nil, fmt.Errorf("a header that can't be read: %w", err)
	}
	if sha256.Sum256(text) != read.digest {
		return nil, fmt.Errorf("%s, which changes", read.name)
	}
	d, ok := define(text)
	if !ok {
		return nil, errors.New(soMany + " in " + read.name)
	}
	read.defines.Store(&d)
	return d, nil
}
