package dl

import "slices"

// openBeside opens the library that lib will ask the system's loader for by a
// bare name, if it lies beside lib: the loader then gives lib the one that is
// open already, and not another version's or none.
func (s Spec) openBeside(m *machine, lib *Library) {
	stem := s.beside
	if m.goos == "windows" {
		stem = s.besideW
	}
	if stem == "" {
		return
	}
	for _, c := range s.companions(m, stem, lib.path) {
		opened, err := m.open(c)
		if err != nil {
			lib.refused = append(lib.refused, c.attempt(err))
			continue
		}
		lib.beside = append(lib.beside, opened.path)
	}
}

// companions lists the files named stem beside path that may belong to it: all
// of its major version, or of its minor where the name of the file tells that.
func (s Spec) companions(m *machine, stem, path string) []candidate {
	real := m.realPath(path)
	want, _ := versionOf(m.goos, s.naming(m.goos).stem, m.base(real))
	folders := []string{m.dir(path)}
	if d := m.dir(real); d != folders[0] {
		folders = append(folders, d)
	}
	var found []candidate
	for _, f := range folders {
		names, _ := m.readDir(f) // lib was opened from it; if it can't be listed there is nothing to add
		for _, name := range names {
			if _, ok := versionOf(m.goos, stem, name); !ok {
				continue
			}
			p := place{source: ByFolder, kind: file, path: m.join(f, name)}
			v, _ := versionOf(m.goos, stem, m.base(m.realPath(p.path)))
			if len(v) > 0 && len(want) > 0 && v[0] != want[0] {
				continue
			}
			found = append(found, candidate{place: p, file: p.path, version: v})
		}
	}
	// A name of three parts, as libnvrtc.so.12.4.127, has the release in it; of
	// two or one it is a name kept for many releases.
	if len(want) > 2 {
		same := slices.DeleteFunc(slices.Clone(found), func(c candidate) bool {
			return len(c.version) < 2 || c.version[1] != want[1]
		})
		if len(same) > 0 {
			found = same
		}
	}
	return unique(m, found)
}
