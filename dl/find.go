package dl

import "slices"

// Open finds the library and opens it. A path, of a file or of the folder that
// has it, is tried alone; without one the search goes through all steps (see
// the package's documentation). A candidate that can't be opened is passed
// over.
//
// The error is a *NotFoundError.
func (s Spec) Open(path string) (*Library, error) {
	return s.OpenChecked(path, nil)
}

// OpenChecked is Open with a last word for the caller: when check returns an
// error the search goes on, and the error stands in the list of what was
// tried. A libcuda whose cuInit fails is such a candidate. What was refused so
// stays loaded.
func (s Spec) OpenChecked(path string, check func(*Library) error) (*Library, error) {
	return s.search(thisMachine(), path, check)
}

func (s Spec) search(m *machine, path string, check func(*Library) error) (*Library, error) {
	var tried []Attempt
	seen := map[string]bool{}
	for step := range s.steps(m, path) {
		for _, c := range step {
			if c.kind != bareName && c.file != "" && c.source != ByProcess {
				real := m.realPath(c.file)
				if seen[real] {
					continue // an earlier step has tried it
				}
				seen[real] = true
			}
			lib, err := s.try(m, c, check)
			if err == nil {
				lib.refused = slices.Concat(tried, lib.refused)
				return lib, nil
			}
			tried = append(tried, c.attempt(err))
		}
	}
	return nil, &NotFoundError{Library: s.title, Path: path, Attempts: tried, Advice: s.advice(m)}
}

func (s Spec) try(m *machine, c candidate, check func(*Library) error) (*Library, error) {
	if c.err != nil {
		return nil, c.err
	}
	lib, err := m.open(c)
	if err != nil {
		return nil, err
	}
	lib.source, lib.from = c.source, c.from
	s.openBeside(m, lib)
	if check != nil {
		if err := check(lib); err != nil {
			return nil, err
		}
	}
	return lib, nil
}

func (c candidate) attempt(err error) Attempt {
	a := Attempt{Source: c.source, From: c.from, Path: c.file, Err: err}
	if a.Path == "" {
		a.Path = c.path
	}
	return a
}
