package sim

import (
	"fmt"

	"github.com/purecuda/purecuda/abi/ptx"
)

// merge makes one module of several: what one declares another may define. Debugging data is left out.
func merge(inputs []linkInput) (*ptx.Module, error) {
	if len(inputs) == 1 {
		return inputs[0].image.ptx, nil
	}
	m, err := collect(inputs)
	if err != nil {
		return nil, err
	}
	return m.module()
}

// collect sees what modules have, and whether they have the same twice.
func collect(inputs []linkInput) (*merger, error) {
	m := &merger{out: &ptx.Module{AddressSize: 64}, symbols: map[string]*symbol{}}
	for _, in := range inputs {
		if err := m.add(in.name, in.image.ptx); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// A merger collects the symbols of modules.
type merger struct {
	out     *ptx.Module
	names   []string // of symbols, in the order in which they came
	symbols map[string]*symbol
	files   int64 // the highest number of a source file so far
}

// A symbol is a function or variable, the best that was seen of it: a definition rather than a declaration.
type symbol struct {
	item    ptx.Item
	linkage ptx.Linkage
	defined bool
	from    string
}

func (m *merger) add(from string, in *ptx.Module) error {
	if v, w := in.Version, m.out.Version; v.Major > w.Major || v.Major == w.Major && v.Minor > w.Minor {
		m.out.Version = v
	}
	if len(in.Target.Arch) > len(m.out.Target.Arch) || len(in.Target.Arch) == len(m.out.Target.Arch) && in.Target.Arch > m.out.Target.Arch {
		m.out.Target = ptx.Target{Arch: in.Target.Arch}
	}
	first, last := m.files, m.files
	for _, it := range in.Items {
		switch it := it.(type) {
		case *ptx.File:
			f := *it
			f.Index += first
			last = max(last, f.Index)
			m.out.Items = append(m.out.Items, &f)
		case *ptx.Function:
			if it.Body != nil {
				renumber(it.Body, first)
			}
			if err := m.symbol(from, it.Name, &symbol{it, it.Linkage, it.Body != nil, from}); err != nil {
				return err
			}
		case *ptx.Variable:
			if err := m.symbol(from, it.Name, &symbol{it, it.Linkage, it.Linkage != ptx.LinkExtern, from}); err != nil {
				return err
			}
		case *ptx.Alias:
			if err := m.symbol(from, it.Name, &symbol{it, ptx.LinkVisible, true, from}); err != nil {
				return err
			}
		}
	}
	m.files = last
	return nil
}

// symbol takes in one more of a name.
func (m *merger) symbol(from, name string, s *symbol) error {
	old := m.symbols[name]
	switch {
	case old == nil:
		m.names = append(m.names, name)
	case old.from != from && (old.linkage == ptx.LinkInternal && old.defined || s.linkage == ptx.LinkInternal && s.defined):
		return fmt.Errorf("%s and %s both have a %s, and it is one's own: give one another name", old.from, from, name)
	case !s.defined || s.linkage == ptx.LinkWeak && old.defined:
		return nil
	case old.defined && old.linkage != ptx.LinkWeak && old.linkage != ptx.LinkCommon && s.linkage != ptx.LinkCommon:
		return fmt.Errorf("%s and %s both define %s", old.from, from, name)
	}
	m.symbols[name] = s
	return nil
}

// module puts together what was collected: declarations of all functions, then variables, then the functions.
func (m *merger) module() (*ptx.Module, error) {
	var declared, variables, defined []ptx.Item
	for _, name := range m.names {
		s := m.symbols[name]
		switch it := s.item.(type) {
		case *ptx.Function:
			d := *it
			d.Body, d.Directives = nil, nil
			if !d.Entry {
				declared = append(declared, &d)
			}
			if it.Body != nil {
				defined = append(defined, it)
			}
		case *ptx.Variable:
			if !s.defined && it.Space != ptx.SpaceShared {
				return nil, fmt.Errorf("%s declares the variable %s, which nothing defines", s.from, name)
			}
			variables = append(variables, it)
		default:
			defined = append(defined, it)
		}
	}
	for _, items := range [][]ptx.Item{declared, variables, defined} {
		m.out.Items = append(m.out.Items, items...)
	}
	return m.out, nil
}

// renumber adds to the numbers by which a body names source files.
func renumber(b *ptx.Block, by int64) {
	for _, s := range b.Statements {
		switch s := s.(type) {
		case *ptx.Block:
			renumber(s, by)
		case *ptx.Loc:
			s.File += by
			s.Inlined = nil // its function's name lies in a section that is left out
		}
	}
}
