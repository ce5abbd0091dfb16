package engine

import (
	"fmt"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A decoder makes a function's operations of its text.
type decoder struct {
	l      *loader
	f      *function
	scopes []*scope
	loc    *ptx.Loc
	at     *place // loc's
	places map[sourcePoint]*place
	in     *ptx.Instruction // the one being decoded
	fixes  []fix

	bits32   map[uint32]int32
	bits64   map[uint64]int32
	special_ map[special]int32
	memory   int            // memory operations so far
	writes   map[string]int // see alias.go
	aliasing bool
	watch    *watcher
	cc       *reg // the carry flag, where the function uses it
}

// A scope is the names of a { } block.
type scope struct {
	regs   map[string]reg
	ranges []*ptx.Variable
	vars   map[string]*variable
	labels map[string]*label
	tables map[string]*ptx.BranchTargets
	protos map[string]*ptx.CallPrototype
}

// A label is a place in the code; -1 until it is reached.
type label struct{ pc int32 }

// A fix is an operation that goes to a label.
type fix struct {
	op    int
	label *label
}

func newDecoder(l *loader, f *function) *decoder {
	return &decoder{l: l, f: f, bits32: map[uint32]int32{}, bits64: map[uint64]int32{}, special_: map[special]int32{}, places: map[sourcePoint]*place{}}
}

// function decodes the whole.
func (d *decoder) function() error {
	if d.aliasing = !d.l.config.Config.watches(); d.aliasing {
		d.writes = map[string]int{}
		writesOf(d.f.source.Body, d.writes)
	}
	if err := d.formals(); err != nil {
		return err
	}
	d.watch = d.watcher()
	if err := d.block(d.f.source.Body); err != nil {
		return err
	}
	d.emit(op{fn: ret}) // a body may end without one
	for _, x := range d.fixes {
		d.f.code[x.op].imm = int64(x.label.pc)
	}
	return nil
}

// block decodes a { }.
func (d *decoder) block(b *ptx.Block) error {
	s := &scope{regs: map[string]reg{}, vars: map[string]*variable{}, labels: map[string]*label{},
		tables: map[string]*ptx.BranchTargets{}, protos: map[string]*ptx.CallPrototype{}}
	d.scopes = append(d.scopes, s)
	for _, st := range b.Statements { // they may be named before they stand
		switch st := st.(type) {
		case *ptx.Label:
			s.labels[st.Name] = &label{-1}
		case *ptx.BranchTargets:
			s.tables[st.Name] = st
		case *ptx.CallPrototype:
			s.protos[st.Name] = st
		}
	}
	for _, st := range b.Statements {
		if err := d.statement(s, st); err != nil {
			return err
		}
	}
	d.scopes = d.scopes[:len(d.scopes)-1]
	return nil
}

func (d *decoder) statement(s *scope, st ptx.Statement) error {
	switch st := st.(type) {
	case *ptx.Block:
		return d.block(st)
	case *ptx.Label:
		l := s.labels[st.Name]
		l.pc = int32(len(d.f.code))
		d.emit(op{fn: join}).inst++ // what stands at the label
	case *ptx.Loc:
		d.locate(st)
	case *ptx.Variable:
		return d.variable(s, st)
	case *ptx.Instruction:
		d.in = st
		d.f.insts = append(d.f.insts, instruction{st, d.loc, d.at})
		err := d.instruction(st)
		if err == nil && d.l.clustered && tellsClusters(st) {
			err = &UnsupportedError{What: "instruction " + st.Form() + " in a module with clusters of several blocks", Source: d.l.program.place(d.loc), Line: st.Line}
		}
		return d.l.missed(err)
	}
	return nil
}

// variable declares registers and memory of the function.
func (d *decoder) variable(s *scope, v *ptx.Variable) error {
	switch v.Space {
	case ptx.SpaceReg:
		if bankOf(v.Type) == noBank || v.Vector > 0 && v.Range || v.Vector > 4 {
			return &UnsupportedError{What: "registers of type ." + string(v.Type), Line: v.Line}
		}
		if v.Range {
			s.ranges = append(s.ranges, v)
			return nil
		}
		if v.Vector > 0 {
			for i := range v.Vector {
				c := v.Name + "." + "xyzw"[i:i+1]
				s.regs[c] = d.newReg(v.Type)
			}
			return nil
		}
		s.regs[v.Name] = d.newReg(v.Type)
	case ptx.SpaceLocal:
		nv := &variable{name: v.Name, space: v.Space, size: v.Size(), align: int64(v.Align()), source: v}
		nv.offset = roundUp(int64(d.f.local), nv.align)
		d.f.local = int(nv.offset + nv.size)
		s.vars[v.Name] = nv
	case ptx.SpaceParam:
		nv := &variable{name: v.Name, space: v.Space, size: v.Size(), align: int64(v.Align()), source: v}
		d.place(nv)
		s.vars[v.Name] = nv
	case ptx.SpaceShared:
		s.vars[v.Name] = d.f.own[v]
	case ptx.SpaceGlobal, ptx.SpaceConst:
		if err := d.l.declare(v); err != nil { // as good as one of the module
			return err
		}
		if v.Init != nil {
			return d.l.initialise(v)
		}
	default:
		return &UnsupportedError{What: "variable in state space ." + string(v.Space), Line: v.Line}
	}
	return nil
}

// place gives a .param variable room in the function's parameter memory.
func (d *decoder) place(v *variable) {
	v.offset = roundUp(int64(d.f.params), max(v.align, 8))
	d.f.params = int(roundUp(v.offset+v.size, 8))
}

// formals places the parameters and results of a device function.
func (d *decoder) formals() error {
	s := &scope{regs: map[string]reg{}, vars: map[string]*variable{}}
	d.scopes = append(d.scopes, s)
	src := d.f.source
	for i := range src.Params {
		p := &src.Params[i]
		if src.Entry {
			if p.Offset < 0 || p.Size() < 0 || p.Offset > src.ParamBytes()-p.Size() {
				return fmt.Errorf("PTX line %d: the parameter %s lies outside the parameters", p.Line, p.Name)
			}
			s.vars[p.Name] = &variable{name: p.Name, space: kernelParam, size: p.Size(), align: int64(p.Align()), offset: p.Offset}
			continue
		}
		if err := d.formal(s, p, &d.f.formals); err != nil {
			return err
		}
	}
	for i := range src.Return {
		if err := d.formal(s, &src.Return[i], &d.f.returns); err != nil {
			return err
		}
	}
	return nil
}

// kernelParam is the space of an entry's parameters, which are the same for all threads.
const kernelParam ptx.Space = "entry param"

func (d *decoder) formal(s *scope, p *ptx.Param, list *[]param) error {
	v := &variable{name: p.Name, space: ptx.SpaceParam, size: p.Size(), align: int64(p.Align())}
	d.place(v)
	*list = append(*list, param{p.Name, int(v.offset), int(v.size)})
	if p.Space == ptx.SpaceReg {
		return &UnsupportedError{What: "parameter in a register", Line: p.Line}
	}
	s.vars[p.Name] = v
	return nil
}

// emit adds an operation.
func (d *decoder) emit(o op) *op {
	o.inst = int32(len(d.f.insts)) - 1
	d.f.code = append(d.f.code, o)
	return &d.f.code[len(d.f.code)-1]
}

// instruction decodes one, with its guard.
func (d *decoder) instruction(in *ptx.Instruction) error {
	if d.watch != nil && d.watch.count {
		if err := d.watch.counted(in); err != nil {
			return err
		}
	}
	if in.Pred == nil {
		return d.unguarded(in)
	}
	guard, err := d.register(in.Pred.Reg, "")
	if err != nil {
		return err
	}
	if guard.bank != bankPred {
		return d.errorf("the guard %s is no predicate", in.Pred.Reg)
	}
	not := uint32(0)
	if in.Pred.Negated {
		not = full
	}
	if in.Opcode == "bra" {
		return d.branch(in, guard.slot, not)
	}
	if turns(in.Opcode) { // go round it, since it may change which lanes run
		over := &label{-1}
		d.fixes = append(d.fixes, fix{len(d.f.code), over})
		d.emit(op{fn: braIf, guard: guard.slot, not: ^not})
		if err := d.unguarded(in); err != nil {
			return err
		}
		over.pc = int32(len(d.f.code))
		d.emit(op{fn: join})
		return nil
	}
	first := len(d.f.code)
	if err := d.unguarded(in); err != nil {
		return err
	}
	for i := first; i < len(d.f.code); i++ {
		o := &d.f.code[i]
		o.inner, o.fn, o.guard, o.not = o.fn, guarded, guard.slot, not
	}
	return nil
}

// turns reports whether other lanes may run after an instruction than before.
func turns(opcode string) bool {
	switch opcode {
	case "ret", "exit", "call", "brx", "bar", "barrier", "trap", "shfl", "vote", "match", "redux", "elect", "mma", "wmma", "ldmatrix", "stmatrix",
		"movmatrix", "mbarrier", "nanosleep":
		return true
	}
	return false
}

func (d *decoder) unguarded(in *ptx.Instruction) error {
	if d.watch != nil {
		return d.watch.around(in)
	}
	return d.perform(in)
}

// perform decodes what an instruction does.
func (d *decoder) perform(in *ptx.Instruction) error {
	if f := decoderOf(in.Opcode); f != nil {
		return f(d, in)
	}
	return d.tabled(in)
}

// missed is err, or nil where it only has to be counted.
func (l *loader) missed(err error) error {
	if u, ok := err.(*UnsupportedError); ok && l.config.missing != nil {
		l.config.missing(u)
		return nil
	}
	return err
}

// unsupported is the error for the instruction being decoded.
func (d *decoder) unsupported() error {
	return &UnsupportedError{What: "instruction " + d.in.Form(), Source: d.l.program.place(d.loc), Line: d.in.Line}
}

// errorf is an error about the instruction being decoded.
func (d *decoder) errorf(format string, args ...any) error {
	return fmt.Errorf("PTX line %d: %s: %s", d.in.Line, d.in.Form(), fmt.Sprintf(format, args...))
}
