package engine

import (
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/abi/ptx"
)

// Load decodes a module. Its error is an [*UnsupportedError] for what the engine does not do, [ErrOutOfMemory] where the module's
// variables do not fit, or says what is wrong with the text.
func Load(m *ptx.Module, c LoadConfig) (*Program, error) {
	if c.Config == nil {
		c.Config = &Config{}
	}
	if m.AddressSize == 32 {
		return nil, fmt.Errorf("addresses of 32 bits: only 64 are supported")
	}
	l := &loader{module: m, config: c, program: &Program{
		byName: map[string]*Kernel{}, globals: map[string]*variable{}, memory: c.Memory, files: map[int64]string{},
	}, functions: map[string]*function{}}
	if err := l.load(); err != nil {
		l.program.Unload()
		return nil, err
	}
	return l.program, nil
}

// A loader is what Load works with.
type loader struct {
	module    *ptx.Module
	config    LoadConfig
	program   *Program
	functions map[string]*function
	clustered bool // see cluster.go
}

// functionBase is what pointers to functions count up from: no address of anything else.
const functionBase = 0x0003_0000_0000_0000

func (l *loader) load() error {
	p := l.program
	l.clustered = clustered(l.module)
	for _, it := range l.module.Items {
		switch it := it.(type) {
		case *ptx.File:
			p.files[it.Index] = it.Path
		case *ptx.Variable:
			if err := l.declare(it); err != nil {
				return err
			}
		case *ptx.Function:
			f := l.functions[it.Name]
			if f == nil {
				f = &function{name: it.Name, number: functionBase + uint64(len(p.functions))*16}
				l.functions[it.Name] = f
				p.functions = append(p.functions, f)
			}
			if f.source == nil || it.Body != nil {
				f.source = it
			}
		}
	}
	for _, it := range l.module.Items {
		if a, ok := it.(*ptx.Alias); ok {
			f := l.functions[a.Target]
			if f == nil {
				return fmt.Errorf("PTX line %d: alias of %s, which is not there", a.Line, a.Target)
			}
			l.functions[a.Name] = f
		}
	}
	l.layShared()
	for _, f := range p.functions {
		if f.source.Body == nil {
			continue // one of the system's, or nobody calls it
		}
		d := newDecoder(l, f)
		if err := d.function(); err != nil {
			return err
		}
		if err := f.fits(); err != nil {
			return err
		}
	}
	if err := l.constants(); err != nil {
		return err
	}
	for _, it := range l.module.Items {
		if v, ok := it.(*ptx.Variable); ok && v.Init != nil {
			if err := l.initialise(v); err != nil {
				return err
			}
		}
	}
	for _, f := range p.functions {
		if f.source.Entry && f.source.Body != nil {
			k := l.kernel(f)
			p.kernels = append(p.kernels, k)
			p.byName[k.Name] = k
		}
	}
	return nil
}

// mostRegisters is the highest estimate: ptxas gives a register to many values in turn, and no launch is to be refused for a guess. With 64
// any block of 1,024 threads has its registers.
const mostRegisters = 64

// kernel makes the facts of an entry.
func (l *loader) kernel(f *function) *Kernel {
	k := &Kernel{Name: f.name, Params: f.source.Params, ParamBytes: int(f.source.ParamBytes()), SharedBytes: f.shared, LocalBytes: f.local,
		Registers: min(max(16, f.n32+2*f.n64), mostRegisters), program: l.program, fn: f}
	for _, v := range l.program.globals {
		if v.space == ptx.SpaceConst {
			k.ConstBytes += int(v.size)
		}
	}
	if n, ok := f.source.Directive("maxntid"); ok {
		k.MaxThreads = 1
		for _, x := range n {
			k.MaxThreads *= int(x)
		}
	}
	if n, ok := f.source.Directive("reqntid"); ok {
		k.Required, k.MaxThreads = [3]uint32{1, 1, 1}, 1
		for i, x := range n {
			k.Required[i] = uint32(x)
			k.MaxThreads *= int(x)
		}
	}
	return k
}

// reachable lists f and what it can call, directly or through pointers, which may hold any device function.
func (l *loader) reachable(f *function) []*function {
	seen := []*function{f}
	for i := 0; i < len(seen); i++ {
		callees := seen[i].calls
		if seen[i].indirect {
			callees = l.program.functions
		}
		for _, c := range callees {
			if !c.source.Entry && !slices.Contains(seen, c) {
				seen = append(seen, c)
			}
		}
	}
	return seen
}
