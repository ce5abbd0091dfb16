package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/child/jail"
)

// An Isolation says what walls a Pool wants around its workers.
type Isolation int

const (
	Auto     Isolation = iota // all that the machine has, see Pool.Walls
	Required                  // files and system calls must be out of reach; NewPool gives an error if the machine can't do that
	Off                       // none: for sources and options that are trusted
)

// String is the name, as ParseIsolation takes it.
func (i Isolation) String() string {
	if i >= 0 && int(i) < len(isolations) {
		return isolations[i]
	}
	return fmt.Sprintf("Isolation(%d)", int(i))
}

var isolations = []string{"auto", "required", "off"}

// ParseIsolation reads auto, required or off. Nothing is auto.
func ParseIsolation(s string) (Isolation, error) {
	if s == "" {
		return Auto, nil
	}
	if i := slices.Index(isolations, s); i >= 0 {
		return Isolation(i), nil
	}
	return 0, fmt.Errorf("worker: isolation %q: it is not auto, required or off", s)
}

// probe is a variable for the tests of machines that have less.
var probe = jail.Probe

// walls are those that workers are to be inside of.
func (c Config) walls() (jail.Walls, error) {
	switch c.Isolation {
	case Off:
		return jail.Walls{}, nil
	case Auto, Required:
	default:
		return jail.Walls{}, fmt.Errorf("%v is not Auto, Required or Off", c.Isolation)
	}
	w := probe()
	if c.Isolation == Required && (w.Landlock == 0 || !w.Seccomp) {
		return jail.Walls{}, fmt.Errorf("%w: it has %v", ErrNoWalls, w)
	}
	return w, nil
}

// readable are the files and folders of c.Read, by their whole names.
func (c Config) readable() (names []string, err error) {
	for i, name := range c.Read {
		if name == "" { // which would be the working directory
			return nil, fmt.Errorf("Config.Read[%d] is empty", i)
		}
		whole, err := filepath.Abs(name)
		if err == nil {
			_, err = os.Stat(whole)
		}
		if err != nil {
			return nil, fmt.Errorf("Config.Read[%d]: %w", i, err)
		}
		names = append(names, whole)
	}
	return names, nil
}

// needs are the files and folders that an NVRTC reads: its own, and the headers
// that belong to it. Packed, and kept: finding them reads folders.
func (p *Pool) needs(c *nvrtc.Compiler) string {
	if known, ok := p.needed.Load(c.Path()); ok {
		return known.(string)
	}
	var names []string
	real, err := filepath.EvalSymlinks(c.Path())
	if err != nil {
		real = c.Path()
	}
	for _, library := range []string{c.Path(), real} {
		folder := filepath.Dir(library)
		names = append(names, library)
		list, _ := os.ReadDir(folder)
		for _, f := range list {
			if strings.HasPrefix(f.Name(), builtins) {
				names = append(names, filepath.Join(folder, f.Name()))
			}
		}
	}
	headers, err := c.IncludeDirs()
	if err == nil { // some machines have none
		names = append(names, headers...)
	}
	slices.Sort(names)
	packed := string(pack(slices.Compact(names)...))
	p.needed.Store(c.Path(), packed)
	return packed
}

// Reach is compile.OutOfProcess's.
func (p *Pool) Reach(c *nvrtc.Compiler) (folders []string, how string) {
	if p == nil || c == nil || p.walls.Landlock == 0 && !p.walls.Seccomp {
		return nil, ""
	}
	if p.walls.Landlock == 0 {
		how = "in memory"
	}
	needs, _ := texts([]byte(p.needs(c)))
	return append(needs, p.read...), how
}

// builtins are a library that NVRTC looks for by a bare name.
const builtins = "libnvrtc-builtins"
