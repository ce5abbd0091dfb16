package engine

import (
	"slices"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
)

// Uses is how a function's values of unwritten memory are followed, from the load to where they matter.
//
// Reading what nobody wrote is no fault yet: compilers load ahead of the test that makes a value needed, and copy structs with their padding.
// It is one where the value is used: computed with, compared, an address, given to another lane, or an operand of an atomic operation. What
// moves it or picks bits of it (mov, selp, conversions between integers, and, or, xor, not, shifts by a number, prmt, bfe, bfi) carries along
// which of its bytes are not written; and with a number that clears some bits of a byte makes it a written one, since bit-fields are
// written one by one. Passing it to a function that is not inlined ends the tracking, silently.
//
// Storing it is a use as well, unless it may be a copy of a struct: then the bytes stored are as unwritten as the ones loaded. It may be one
// where only some bytes of what one instruction stores are unwritten, and of integers where it stores single bytes, or stores
// such values through the same register elsewhere in the block of instructions.
//
// Each register that may hold such a value has a second one, its shadow: see shadow.go. The fault is reported where the value was loaded.
type uses struct {
	d       *decoder
	names   map[string]bool           // registers that may hold what was loaded
	copying map[*ptx.Instruction]bool // stores that may copy a piece of a struct
	shadows map[reg]int32
}

// newUses looks through a function for the registers that may hold what was loaded.
func newUses(d *decoder) *uses {
	u := &uses{d: d, names: map[string]bool{}, copying: map[*ptx.Instruction]bool{}, shadows: map[reg]int32{}}
	all := instructions(nil, d.f.source.Body)
	for _, in := range all {
		for _, r := range references(in) {
			if r.kind == reads {
				u.hold(r.data)
			}
		}
	}
	for again := true; again; {
		again = false
		for _, in := range all {
			if to, from := carried(in); to != nil && u.holds(from) {
				again = u.hold(to) || again
			}
		}
	}
	stores := map[string][]*ptx.Instruction{} // of such values, by address register, since the last label or branch
	for _, in := range all {
		if in == nil || in.Opcode == "bra" || turns(in.Opcode) {
			clear(stores)
			continue
		}
		for _, r := range references(in) {
			if a, ok := r.at.(*ptx.Address); ok && r.kind == writes && u.holds(r.data) {
				base := a.Base.String()
				if stores[base] = append(stores[base], in); len(stores[base]) > 1 {
					u.copying[stores[base][0]], u.copying[in] = true, true
				}
			}
		}
	}
	return u
}

// instructions adds those of a block to a list, nil for a label.
func instructions(list []*ptx.Instruction, b *ptx.Block) []*ptx.Instruction {
	for _, st := range b.Statements {
		switch st := st.(type) {
		case *ptx.Block:
			list = instructions(list, st)
		case *ptx.Label:
			list = append(list, nil)
		case *ptx.Instruction:
			list = append(list, st)
		}
	}
	return list
}

// hold says that registers may hold what was loaded, and reports whether that is news.
func (u *uses) hold(xs []ptx.Operand) (news bool) {
	for _, r := range registersIn(nil, xs...) {
		news = news || !u.names[r.Name]
		u.names[r.Name] = true
	}
	return news
}

// holds reports whether one of the registers may hold what was loaded.
func (u *uses) holds(xs []ptx.Operand) bool {
	return slices.ContainsFunc(registersIn(nil, xs...), func(r *ptx.Register) bool { return u.names[r.Name] })
}

// registersIn adds those in operands to a list.
func registersIn(list []*ptx.Register, xs ...ptx.Operand) []*ptx.Register {
	for _, x := range xs {
		switch x := x.(type) {
		case *ptx.Register:
			list = append(list, x)
		case *ptx.Vector:
			list = registersIn(list, x.Elems...)
		case *ptx.List:
			list = registersIn(list, x.Elems...)
		case *ptx.Pair:
			list = registersIn(list, x.First, x.Second)
		case *ptx.Not:
			list = registersIn(list, x.X)
		case *ptx.Neg:
			list = registersIn(list, x.X)
		case *ptx.Address:
			list = registersIn(registersIn(list, x.Base), x.Coords...)
		}
	}
	return list
}

// before emits what watches an instruction: its operands are used, or what they carry goes on.
func (u *uses) before(in *ptx.Instruction, refs []reference) error {
	if to, from := carried(in); to != nil {
		return u.carry(in, to, from)
	}
	results, operands := parts(in)
	if in.Opcode == "st" && len(in.Operands) == 2 { // what is stored is no use, or not always
		operands = in.Operands[:1]
	}
	if err := u.used(operands); err != nil {
		return err
	}
	for _, x := range results {
		if err := u.loaded(x, nil); err != nil {
			return err
		}
	}
	for _, r := range refs {
		if err := u.reference(in, r); err != nil {
			return err
		}
	}
	return nil
}

// without reports whether an opcode's first operand is no result though it may be a register.
func without(opcode string) bool {
	switch opcode {
	case "bar", "barrier", "brx", "nanosleep", "call", "st", "red", "cp", "prefetch", "prefetchu", "discard", "applypriority", "stmatrix", "ret", "bra",
		"trap", "exit":
		return true
	}
	return false
}

// parts are the registers that an instruction writes, and the other operands.
func parts(in *ptx.Instruction) (results, operands []ptx.Operand) {
	x := in.Operands
	if len(x) == 0 || without(in.Opcode) {
		return nil, x
	}
	switch first := x[0].(type) {
	case *ptx.Register:
		return x[:1], x[1:]
	case *ptx.Vector:
		return first.Elems, x[1:]
	case *ptx.Pair:
		return []ptx.Operand{first.First, first.Second}, x[1:]
	case *ptx.Sink:
		return nil, x[1:]
	}
	return nil, x
}

// shadow is the register with the shadow of an operand, false where it has none.
func (u *uses) shadow(x ptx.Operand) (int32, bool, error) {
	r, ok := x.(*ptx.Register)
	if !ok || !u.names[r.Name] {
		return 0, false, nil
	}
	component := r.Component
	if !strings.Contains("xyzwrgba", component) { // the video instructions name bytes and halves
		component = ""
	}
	at, err := u.d.register(r.Name, component)
	if err != nil || at.bank == bankPred {
		return 0, false, err
	}
	slot, ok := u.shadows[at]
	if !ok {
		slot = u.d.temp32().slot
		u.shadows[at] = slot
	}
	return slot, true, nil
}

// used emits what looks whether the values in operands are written ones.
func (u *uses) used(operands []ptx.Operand) error {
	for _, r := range registersIn(nil, operands...) {
		slot, ok, err := u.shadow(r)
		if err != nil {
			return err
		}
		if ok {
			u.d.emit(op{fn: useShadow, a: slot})
		}
	}
	return nil
}

// loaded emits what gives a register its shadow when it gets another value: by load, or none.
func (u *uses) loaded(x ptx.Operand, load func(slot int32) error) error {
	slot, ok, err := u.shadow(x)
	if err != nil || !ok {
		return err
	}
	if load != nil {
		return load(slot)
	}
	u.d.emit(op{fn: clearShadow, d: slot})
	return nil
}

// reference emits what watches memory that an instruction works on.
func (u *uses) reference(in *ptx.Instruction, r reference) error {
	v := &watcher{d: u.d}
	size := r.access.elem.Bytes()
	use := &memoryUse{space: r.access.space}
	if r.data == nil && r.kind == writes {
		for n := range r.access.n {
			o, err := v.address(op{fn: storeShadow, d: u.d.const32(0).slot, size: uint8(size), ext: use}, r, int64(n*size))
			if err != nil {
				return err
			}
			u.d.emit(o)
		}
		return nil
	}
	if r.data == nil {
		o, err := v.address(op{fn: updateShadow, size: uint8(size), ext: use, b: int32(r.access.n)}, r, 0)
		if slices.Contains(r.access.rest, "exch") && r.access.n == 1 {
			o.fn, o.d = storeShadow, u.d.const32(0).slot
		}
		if err == nil {
			u.d.emit(o)
		}
		return err
	}
	var stored []int32
	for i, x := range r.data {
		off := int64(i * size)
		if r.kind == reads {
			err := u.loaded(x, func(slot int32) error {
				o, err := v.address(op{fn: loadShadow, d: slot, size: uint8(size), ext: use}, r, off)
				if err == nil {
					u.d.emit(o)
				}
				return err
			})
			if err != nil {
				return err
			}
			continue
		}
		slot, ok, err := u.shadow(x)
		if err != nil {
			return err
		}
		if ok {
			stored = append(stored, slot)
		} else {
			slot = u.d.const32(0).slot
		}
		o, err := v.address(op{fn: storeShadow, d: slot, size: uint8(size), ext: use}, r, off)
		if err != nil {
			return err
		}
		u.d.emit(o)
	}
	if float := r.access.elem[0] == 'f'; len(stored) > 0 && len(stored) == len(r.data) && (float || size > 1 && !u.copying[in]) {
		u.d.emit(op{fn: storeAll, size: uint8(size), ext: stored})
	}
	return nil
}
