package compile

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// A use is an #include in the text called from.
type use struct {
	from string
	include
}

// meanings are the files that each use may mean, the first ones first.
type meanings struct {
	order []use
	files map[use][]string
}

func (m *meanings) add(from string, i include, name string) {
	u := use{from, i}
	if m.files[u] == nil {
		m.order = append(m.order, u)
	}
	if !slices.Contains(m.files[u], name) {
		m.files[u] = append(m.files[u], name)
	}
}

// An encloser puts files into a request.
type encloser struct {
	search  *search
	fence   *fence
	folder  string // the working directory
	request Request
	size    int
	names   map[string]string // of a file on disk, by place, in memory; "" if it isn't taken along
	means   map[string]string // the text of an #include → the name in memory
	apart   []divergence
	absent  []use // they mean no file
}

// A divergence is a use that means something else than its text does.
type divergence struct {
	use
	name string // in memory
}

// enclose has u mean one of files.
func (e *encloser) enclose(u use, files []string) error {
	if u.next { // the one behind the file that it stands in
		i := slices.IndexFunc(files, func(f string) bool { return f != "" && e.search.place(f) == e.search.place(u.from) })
		if files = files[i+1:]; len(files) == 0 {
			files = []string{""}
		}
	} else if u.quoted && e.search.apart && len(files) > 1 {
		return fmt.Errorf("with --no-source-include it can't be told which %q is meant in %s", u.name, u.from)
	}
	name, err := e.bring(files[0])
	if err != nil {
		return err
	}
	if name == "" {
		e.absent = append(e.absent, u)
		return nil
	}
	if means, ok := e.means[u.name]; !ok && !u.next {
		e.means[u.name] = name
		if _, ok := e.request.Headers[u.name]; !ok {
			e.request.Headers[u.name] = "#include \"" + name + "\"\n"
		}
	} else if means != name {
		e.apart = append(e.apart, divergence{u, name})
	}
	return nil
}

// bring puts a file into memory, once, and gives its name there. It is "" for
// none, and for what is no header.
func (e *encloser) bring(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	place := e.search.place(file)
	if name, ok := e.names[place]; ok {
		return name, nil
	}
	e.names[place] = ""
	name := file
	if !filepath.IsAbs(name) {
		name = join(e.folder, name)
	}
	if strings.ContainsFunc(name, unicode.IsControl) || strings.Contains(name, `"`) {
		return "", nil // no #include can name it
	}
	text, err := e.fence.read(file, mostEnclosed-e.size)
	if err != nil {
		return "", err
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return "", nil
	}
	e.size += len(text)
	e.names[place] = name
	if _, ok := e.request.Headers[name]; !ok {
		e.request.Headers[name] = string(text)
	}
	return name, nil
}

// read reads a file that is in the folders. A link that was changed since leads
// nowhere.
func (f *fence) read(name string, most int) ([]byte, error) {
	led, err := behindLinks(name)
	if err != nil {
		return nil, err
	}
	for _, whole := range f.behindLinks() {
		inside, err := filepath.Rel(whole, led)
		if err == nil && inside == "." {
			whole, inside = filepath.Split(led)
		}
		if err != nil || !filepath.IsLocal(inside) {
			continue
		}
		file, err := os.OpenInRoot(whole, inside)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		text, err := io.ReadAll(io.LimitReader(file, int64(most)+1))
		if err == nil && len(text) > most {
			err = fmt.Errorf("with %s they have more than %d bytes", name, mostEnclosed)
		}
		return text, err
	}
	return nil, fmt.Errorf("%s was moved", name)
}

// spellOut names in the texts what is meant, where the text of an #include alone
// means another file.
func (e *encloser) spellOut(r *Request) error {
	for _, d := range e.apart {
		done := false
		change := func(text string) string {
			changed, ok := redirect(text, d.include, d.name)
			done = done || ok
			return changed
		}
		if d.from == r.Name {
			e.request.Source = change(e.request.Source)
		} else if name := e.names[e.search.place(d.from)]; name != "" {
			e.request.Headers[name] = change(e.request.Headers[name])
		} else if _, ok := r.Headers[d.from]; ok {
			e.request.Headers[d.from] = change(e.request.Headers[d.from])
		}
		if !done {
			return fmt.Errorf("%q is one file in %s and another elsewhere, which a header in memory can't be", d.include.name, d.from)
		}
	}
	return nil
}
