package rtc

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/abi/ptx"
)

// An artifact is a module compiled for one architecture.
type artifact struct {
	target string
	ptx    string
	cubin  []byte
	log    string
	names  map[string]string // export → name in the module

	parse  sync.Once
	tree   *ptx.Module
	treeEr error
}

// image is what the driver loads.
func (a *artifact) image() []byte {
	if a.cubin != nil {
		return a.cubin
	}
	return []byte(a.ptx)
}

// module is the PTX as a tree; nil if there is no PTX.
func (a *artifact) module() (*ptx.Module, error) {
	a.parse.Do(func() {
		if a.ptx != "" {
			a.tree, a.treeEr = ptx.Parse(a.ptx)
		}
	})
	return a.tree, a.treeEr
}

// entryOf finds the entry point that a user means by name.
func (a *artifact) entryOf(name string) (string, error) {
	if lowered, ok := a.names[name]; ok {
		return lowered, nil
	}
	tree, err := a.module()
	if err != nil {
		return "", err
	}
	if tree == nil || tree.Entry(name) != nil {
		return name, nil
	}
	return "", a.unknown(name, tree)
}

// unknown says what there is instead.
func (a *artifact) unknown(name string, tree *ptx.Module) error {
	var have, same []string
	for _, e := range tree.Entries() {
		have = append(have, e.Name)
		if readable := abi.Demangle(e.Name); readable != e.Name {
			have[len(have)-1] += " (" + readable + ")"
			if base, _, _ := strings.Cut(readableName(e.Name), "<"); base == name || strings.HasSuffix(base, "::"+name) {
				same = append(same, e.Name)
			}
		}
	}
	slices.Sort(have)
	switch {
	case len(have) == 0:
		return fmt.Errorf("no such kernel: the module has none; a template is compiled only for the arguments that Exports names, such as %q", name+"<float>")
	case len(same) > 0:
		return fmt.Errorf("no such kernel: its name in the module is %s, since it is not extern \"C\"; declare it extern \"C\", or list %q in Exports", strings.Join(same, ", "), name)
	}
	return fmt.Errorf("no such kernel: the module has %s; others must be extern \"C\" or listed in Exports", strings.Join(have, ", "))
}

// slots are the parameters of an entry point; nil if there is no PTX to tell.
func (a *artifact) slots(entry string) ([]abi.Slot, error) {
	tree, err := a.module()
	if err != nil || tree == nil {
		return nil, err
	}
	f := tree.Entry(entry)
	if f == nil {
		return nil, fmt.Errorf("the module has no entry point %s", entry)
	}
	slots := make([]abi.Slot, len(f.Params))
	for i := range f.Params {
		p := &f.Params[i]
		slots[i] = abi.Slot{Offset: int(p.Offset), Size: int(p.Size()), Align: p.Align()}
	}
	return slots, nil
}
