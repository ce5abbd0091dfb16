package compile

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/nvrtc"
)

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
			name, value, _ := strings.Cut(o.Value, "=")
			given.WriteString("#define " + name + " " + value + "\n")
		}
	}
	known := macros{define([]byte(given.String())), define([]byte(r.Source))}
	for _, text := range r.Headers {
		known = append(known, define([]byte(text)))
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
			known = append(known, d)
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
	d := define(text)
	read.defines.Store(&d)
	return d, nil
}
