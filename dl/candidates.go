package dl

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// A candidate is a file to try, or a name for the system's loader, or a place
// that had none.
type candidate struct {
	place
	file    string // what to open
	version []int  // as far as names tell
	err     error  // why it isn't even tried
}

var errStub = errors.New("a stub, for linking only: it does nothing")

// steps groups the places of a search by their source and lists what each
// step has to try: newest first, and first in first among equals.
func (s Spec) steps(m *machine, given string) func(yield func([]candidate) bool) {
	places := s.places(m, given)
	return func(yield func([]candidate) bool) {
		for len(places) > 0 {
			n := slices.IndexFunc(places, func(p place) bool { return p.source != places[0].source })
			if n < 0 {
				n = len(places)
			}
			if !yield(s.candidates(m, places[:n])) {
				return
			}
			places = places[n:]
		}
	}
}

// candidates lists what the places of one step hold.
func (s Spec) candidates(m *machine, places []place) []candidate {
	var found, missed []candidate
	for _, p := range places {
		named := p.named()
		exists, isDir := m.stat(p.path)
		if named && !exists && m.lastSeparator(p.path) < 0 {
			p.kind = bareName
		}
		switch {
		case p.kind == bareName:
			// What the folders showed is tried, or refused, by its full path.
			if !slices.ContainsFunc(found, func(c candidate) bool { return strings.EqualFold(m.base(c.file), p.path) }) {
				v, _ := versionOf(m.goos, s.naming(m.goos).stem, p.path)
				found = append(found, candidate{place: p, file: p.path, version: v})
			}
		case p.kind == file, named && !isDir:
			found = append(found, s.candidate(m, p, p.path))
		default:
			in, err := s.inFolder(m, p)
			if len(in) == 0 && isDir && named {
				in, err = s.belowFolder(m, p, err)
			}
			found = append(found, in...)
			if err != nil {
				missed = append(missed, candidate{place: p, err: err})
			}
		}
	}
	if !s.driver { // a driver's libraries belong to its kernel module: the newest need not be the right one
		slices.SortStableFunc(found, newestFirst)
	}
	return append(unique(m, found), missed...)
}

// newestFirst orders candidates. Names for the loader stand last: what its
// folders and its cache show is known by then, so they seldom find anything.
func newestFirst(a, b candidate) int {
	if aBare, bBare := a.kind == bareName, b.kind == bareName; aBare != bBare {
		if aBare {
			return 1
		}
		return -1
	}
	return slices.Compare(b.version, a.version)
}

// candidate is one file.
func (s Spec) candidate(m *machine, p place, file string) candidate {
	c := candidate{place: p, file: file}
	stem := s.naming(m.goos).stem
	c.version, _ = versionOf(m.goos, stem, m.base(file))
	if p.source != BySystem { // the system's loader goes by the name alone
		// libnvrtc.so.11.2 links to libnvrtc.so.11.8.89.
		if v, ok := versionOf(m.goos, stem, m.base(m.realPath(file))); ok && len(v) > len(c.version) {
			c.version = v
		}
	}
	if !p.named() && (m.inStubs(file) || m.inStubs(m.realPath(file))) {
		c.err = errStub
	}
	return c
}

// inStubs reports whether a file lies where toolkits keep their stubs.
func (m *machine) inStubs(file string) bool { return m.base(m.dir(file)) == "stubs" }

// inFolder lists the files in a folder, or in all that a pattern stands for.
func (s Spec) inFolder(m *machine, p place) ([]candidate, error) {
	stem := s.naming(m.goos).stem
	folders := m.expand(p.path)
	var found []candidate
	var reason error = fs.ErrNotExist
	for _, f := range folders {
		names, err := m.readDir(f)
		if err != nil {
			reason = err
			continue
		}
		reason = fmt.Errorf("holds no %s", s.pattern(m.goos))
		// Short names first: of one file, the name that programs ask for.
		slices.SortFunc(names, func(a, b string) int {
			if d := len(a) - len(b); d != 0 {
				return d
			}
			return strings.Compare(a, b)
		})
		for _, name := range names {
			v, ok := versionOf(m.goos, stem, name)
			if !ok || s.driver && m.goos == "linux" && len(v) == 0 && !p.named() ||
				p.source == BySystem && !s.asked(m.goos, name, v) {
				continue
			}
			found = append(found, s.candidate(m, p, m.join(f, name)))
		}
	}
	if len(found) > 0 {
		return found, nil
	}
	if errors.Is(reason, fs.ErrNotExist) {
		reason = errors.New("no such folder")
	}
	return nil, reason
}

// belowFolder lists the files in a folder that was named in place of those of a
// toolkit's that have them; reason is why it has none itself.
func (s Spec) belowFolder(m *machine, p place, reason error) ([]candidate, error) {
	var found []candidate
	root, below := p.path, toolkitFolders(m)
	for _, b := range below {
		p.path = m.join(root, b)
		in, _ := s.inFolder(m, p)
		found = append(found, in...)
	}
	if len(found) > 0 {
		return found, nil
	}
	return nil, fmt.Errorf("%w, nor is there one in %s below it", reason, strings.Join(below, ", "))
}

// asked reports whether a program would ask the system's loader for that name,
// or will when such a version exists.
func (s Spec) asked(goos, name string, v []int) bool {
	if slices.ContainsFunc(s.naming(goos).names(), func(n string) bool { return strings.EqualFold(n, name) }) {
		return true
	}
	return !s.driver && len(v) > 0 && v[0] > newestMajor && (len(v) == 1 || goos == "windows")
}

// pattern shows a reader what is looked for in a folder.
func (s Spec) pattern(goos string) string {
	if goos == "windows" {
		return s.windows.stem + "*.dll"
	}
	return s.naming(goos).stem + ".so.*"
}

// unique drops the later names of a file that is in the list already.
func unique(m *machine, list []candidate) []candidate {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(c candidate) bool {
		if c.kind == bareName {
			return false
		}
		real := m.realPath(c.file)
		if m.goos == "windows" {
			real = strings.ToLower(real)
		}
		had := seen[real]
		seen[real] = true
		return had
	})
}
