package compile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/nvrtc"
)

// A search goes through all files that a compile can read, in the order in
// which NVRTC looks for them, and writes down what it finds: each file by its
// content, and each place where there was none, since a file put there would
// be read instead.
type search struct {
	ctx     context.Context
	disk    *files
	memory  map[string]string
	folders []string // of -I
	apart   bool     // --no-source-include
	out     *fields
	unseen  string // why the key can't tell all, in words
	done    map[string]bool
	read    []diskFile
	called  map[serial]string // files, by the first name that they were found by
	probes  int
	depth   int // of texts that include each other

	// permit, if there is one, is asked before a file is looked at. Its error ends the
	// search. i is what was asked for.
	permit func(name string, i include) error
	// reach, if there is one, has the files that the compiler can read. All others
	// don't exist for it.
	reach *fence
	// found, if there is one, is told of each file that i may mean in the text called
	// from, in the order of the search, and by "" that there is none.
	found func(from string, i include, name string)
}

// mostProbes is more than any real source has; looking at as many takes seconds.
const mostProbes = 100_000

// mostDeep is deeper than any real source goes, and than Go's stack, which ends the
// program when it is too large, need follow it.
const mostDeep = 10_000

// newSearch reads from options where NVRTC looks.
func newSearch(ctx context.Context, disk *files, memory map[string]string, options nvrtc.OptionList, out *fields) *search {
	s := &search{ctx: ctx, disk: disk, memory: memory, out: out, done: map[string]bool{}, called: map[serial]string{}}
	for _, o := range options {
		switch o.Name {
		case "--include-path":
			s.folders = append(s.folders, o.Value)
		case "--no-source-include":
			s.apart = true
		}
	}
	return s
}

// source goes through what the compiler is given to begin with.
func (s *search) source(r *Request, options nvrtc.OptionList) error {
	for _, o := range options {
		var err error
		switch o.Name {
		case "--pre-include":
			// In the working directory, and then as others.
			err = s.follow(include{name: o.Value, quoted: true}, "the option "+o.Name, "")
		case "--define-macro":
			found := scan([]byte("#define " + strings.Replace(o.Value, "=", " ", 1)))
			err = s.text(found, "the option "+o.Name+"="+o.Value, folderOf(r.Name))
		}
		if err != nil {
			return err
		}
	}
	// NVRTC makes a file of the exports, in which they are as good as any code.
	var exports strings.Builder
	for _, x := range r.Exports {
		exports.WriteString("#pragma " + x + "\n")
	}
	if err := s.text(scan([]byte(exports.String())), "the exports", ""); err != nil {
		return err
	}
	return s.text(scan([]byte(r.Source)), r.Name, folderOf(r.Name))
}

// whole goes through all that r is, also headers in memory that nothing seems to
// include.
func (s *search) whole(r *Request, options nvrtc.OptionList) error {
	if err := s.source(r, options); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		if err := s.header(name, r.Headers[name]); err != nil {
			return err
		}
	}
	return nil
}

// header follows, once, what a header in memory includes.
func (s *search) header(name, text string) error {
	mark := "memory\x00" + name
	if s.done[mark] {
		return nil
	}
	s.done[mark] = true
	return s.text(scan([]byte(text)), name, folderOf(name))
}

// byMacro is what the key can't see where it isn't followed.
const byMacro = "#include of a macro"

// text follows what was found in the text called name, which is in folder.
func (s *search) text(f findings, name, folder string) error {
	if len(f.computed) > 0 {
		s.cannotSee(byMacro + " in " + name)
	}
	if f.unseen != "" {
		s.cannotSee(f.unseen + " in " + name)
	}
	if f.clock != "" && s.permit == nil {
		s.cannotSee(f.clock + " in " + name)
	}
	if s.depth == mostDeep {
		s.cannotSee(fmt.Sprintf("includes more than %d deep", mostDeep))
		return nil
	}
	s.depth++
	defer func() { s.depth-- }()
	for _, i := range f.includes {
		if err := s.follow(i, name, folder); err != nil {
			return err
		}
	}
	return nil
}

func (s *search) cannotSee(what string) {
	if s.unseen == "" {
		s.unseen = what
	}
}

// follow finds what i means in the text called from, in folder.
func (s *search) follow(i include, from, folder string) error {
	if text, ok := s.memory[i.name]; ok {
		// What is in memory is in the key already.
		if err := s.header(i.name, text); err != nil {
			return err
		}
		if !i.next {
			return nil
		}
	}
	if filepath.IsAbs(i.name) || strings.HasPrefix(i.name, "/") {
		_, err := s.probe(i.name, i, from)
		return err
	}
	folders := s.folders
	if i.quoted {
		folders = append([]string{folder}, folders...)
	}
	some := false
	for _, f := range folders {
		found, err := s.probe(join(f, i.name), i, from)
		if err != nil {
			return err
		}
		// Whether --no-source-include has NVRTC look beside a header is not known.
		if found && !i.next && !s.apart {
			return nil
		}
		some = some || found
	}
	if !some && s.found != nil {
		s.found(from, i, "")
	}
	return nil
}

// probe looks whether there is a file, and follows what that includes.
func (s *search) probe(name string, i include, from string) (found bool, err error) {
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	if s.permit != nil {
		if err := s.permit(name, i); err != nil {
			return false, err
		}
	}
	if s.probes++; s.probes > mostProbes {
		s.cannotSee(fmt.Sprintf("more than %d places of headers", mostProbes))
		return true, nil
	}
	read, err := s.disk.read(name)
	if !errors.Is(err, errNoFile) && s.reach != nil && !s.reach.reaches(name) {
		err = errNoFile
	}
	switch {
	case errors.Is(err, errNoFile):
		s.out.add("absent", name)
		return false, nil
	case err != nil:
		s.cannotSee("a header that can't be read: " + err.Error())
		return true, nil
	}
	s.out.add("file", name, string(read.digest[:]))
	if read.serial != (serial{}) {
		// #pragma once knows a file again behind a link, and not a copy of it.
		if first, ok := s.called[read.serial]; !ok {
			s.called[read.serial] = name
		} else if first != name {
			s.out.add("which is", first)
		}
	}
	if s.found != nil {
		s.found(from, i, name)
	}
	if mark := s.place(name); !s.done[mark] {
		s.done[mark] = true
		found := read.found
		if s.permit == nil && s.found == nil {
			found.computed = nil // compute comes to it
		}
		s.read = append(s.read, diskFile{name, read})
		return true, s.text(found, name, folderOf(name))
	}
	return true, nil
}

// place is one name for a file that is reached by several. A .. leads out of
// where a link led to, which only the file system knows.
func (s *search) place(name string) string {
	if strings.Contains(name, "..") {
		if folder, err := filepath.EvalSymlinks(folderOf(name)); err == nil {
			return filepath.Join(folder, name[len(folderOf(name)):])
		}
	}
	return filepath.Clean(name)
}

// folderOf is the folder of the file called name, "" for the working directory.
func folderOf(name string) string {
	if i := strings.LastIndexAny(name, separators); i >= 0 {
		return name[:i+1]
	}
	return ""
}

// separators part the folders of a path.
var separators = func() string {
	if filepath.Separator == '\\' {
		return `\/`
	}
	return "/"
}()

// join is name in folder, as NVRTC has it: nothing is made shorter, since that
// would lead elsewhere where there are links.
func join(folder, name string) string {
	if folder == "" || strings.ContainsRune(separators, rune(folder[len(folder)-1])) {
		return folder + name
	}
	return folder + "/" + name
}
