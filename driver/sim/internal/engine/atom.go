package engine

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
)

// An atomUse is what an atomic operation works on. Global memory belongs to all workers, so it is changed by atomic operations of
// the host; shared memory belongs to the goroutine that runs the block.
type atomUse struct {
	space    ptx.Space // global, shared, or "" which is generic
	f32      func(old, x, y uint32) uint32
	f64      func(old, x, y uint64) uint64
	shared32 func(old, x, y uint32) uint32 // in shared memory; the same as f32 but for add.f32
	shared64 func(old, x, y uint64) uint64 // the same as f64 but for add.f64
	adds     bool                          // f32 is an addition of whole numbers
}

// atomVector is how many elements of a type a vector may have.
func atomVector(t ptx.Type) int {
	switch t {
	case "f32", "f16x2", "bf16x2":
		return 4
	case "f16", "bf16":
		return 8
	}
	return 0
}

// atom decodes atom and red: lanes have their turns in their order.
// See the PTX ISA manual, "Parallel Synchronization and Communication Instructions: atom, red".
func (d *decoder) atom(in *ptx.Instruction) error {
	a := accessOf(in)
	x := in.Operands
	if in.Has("L2::cache_hint") && len(x) > 2 {
		x = x[:len(x)-1]
	}
	name := strings.Join(append(a.rest, string(a.elem)), ".")
	u := &atomUse{space: a.space, f32: atomOp32(name), f64: atomOp64(name)}
	u.shared32, u.shared64, u.adds = u.f32, u.f64, name == "add.u32" || name == "add.s32"
	switch name {
	case "add.f32":
		u.f32 = addFlushed
	case "add.f64":
		u.shared64 = addShared
	}
	returns := in.Opcode == "atom"
	want := 2 + pick(returns, 1, 0) + pick(slices.Contains(a.rest, "cas"), 1, 0)
	if u.f32 == nil && u.f64 == nil || len(x) != want || a.n > 1 && (a.space != ptx.SpaceGlobal || a.n > atomVector(a.elem)) {
		return d.unsupported()
	}
	switch a.space {
	case "", ptx.SpaceGlobal, ptx.SpaceShared:
	default:
		return d.unsupported()
	}
	dst := ptx.Operand(&ptx.Sink{})
	if returns {
		dst, x = x[0], x[1:]
	}
	at, err := d.address(x[0])
	if err != nil {
		return err
	}
	at = d.wide(at)
	if a.n == 1 {
		return d.atomElem(a, u, at, 0, dst, x[1:])
	}
	from, ok := x[1].(*ptx.Vector)
	if !ok || len(from.Elems) != a.n {
		return d.errorf("%s is no vector of %d", x[1], a.n)
	}
	to, ok := dst.(*ptx.Vector)
	if ok && len(to.Elems) != a.n || !ok && returns {
		return d.errorf("%s is no vector of %d", dst, a.n)
	}
	for i, e := range from.Elems {
		t := dst
		if to != nil {
			t = to.Elems[i]
		}
		if err := d.atomElem(a, u, at, i, t, []ptx.Operand{e}); err != nil {
			return err
		}
	}
	return nil
}

// atomElem emits the operation on element i.
func (d *decoder) atomElem(a access, u *atomUse, at addressed, i int, dst ptx.Operand, x []ptx.Operand) error {
	size := a.elem.Bytes()
	k := kind(map[int]string{2: "b16", 4: "b32", 8: "b64"}[size])
	o := op{a: at.base.slot, imm: at.off + int64(i*size), size: uint8(size), align: uint8(a.alignment(i)), slot: d.nextSlot(), d: -1, ext: u}
	o.fn = map[int]func(*warp, *op){2: atom16, 4: atom32, 8: atom64}[size]
	for j, p := range []*int32{&o.b, &o.c}[:len(x)] {
		r, err := d.atomSource(x[j], kind(a.elem), k)
		if err != nil {
			return err
		}
		*p = r.slot
	}
	if _, sink := dst.(*ptx.Sink); !sink {
		r, err := d.dest(dst, k)
		if err != nil {
			return err
		}
		o.d = r.slot
	}
	d.emit(o)
	return nil
}

// atomSource is the register of an operand; a number in the text is of the element's type.
func (d *decoder) atomSource(x ptx.Operand, elem, word kind) (reg, error) {
	switch x.(type) {
	case *ptx.Int, *ptx.Float:
		return d.source(x, elem)
	}
	return d.source(x, word)
}

// word is the memory that a lane's operation changes, and whether it is shared. It ends the launch and returns nil where there is none.
func (u *atomUse) word(w *warp, o *op, lane int, addr uint64) (b []byte, shared bool) {
	space, size := u.space, uint64(o.size)
	if space == "" {
		switch {
		case addr-sharedWindow < windowSize:
			space, addr = ptx.SpaceShared, addr-sharedWindow
		case addr-localWindow < windowSize:
			w.fail(o, lane, IllegalAddress, "an atomic operation in local memory")
			return nil, false
		default:
			space = ptx.SpaceGlobal
		}
	}
	if space == ptx.SpaceShared {
		if data := w.block.shared.Data; addr&uint64(o.align) == 0 && addr < uint64(len(data)) && uint64(len(data))-addr >= size {
			return data[addr : addr+size], true
		}
	} else if a := w.allocation(o); addr&uint64(o.align) == 0 {
		if off := addr - a.Base; off < uint64(len(a.Data)) && uint64(len(a.Data))-off >= size {
			return a.Data[off : off+size], false
		}
	}
	return w.bytes(o, lane, space, addr, size), space == ptx.SpaceShared
}

// atom32 works on words of 32 bits.
func atom32(w *warp, o *op) {
	u, as, xs, ys := o.ext.(*atomUse), &w.r64[o.a], &w.r32[o.b], &w.r32[o.c]
	var sink lanes32
	d := &sink
	if o.d >= 0 {
		d = &w.r32[o.d]
	}
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		b, shared := u.word(w, o, i, as[i]+uint64(o.imm))
		if len(b) < 4 {
			return
		}
		switch {
		case shared:
			old := binary.LittleEndian.Uint32(b)
			binary.LittleEndian.PutUint32(b, u.shared32(old, xs[i], ys[i]))
			d[i] = old
		case u.adds:
			d[i] = add32(b, xs[i])
		default:
			d[i] = change32(b, u.f32, xs[i], ys[i])
		}
	}
}

// atom16 works on halves of words.
func atom16(w *warp, o *op) {
	u, as, xs, ys := o.ext.(*atomUse), &w.r64[o.a], &w.r32[o.b], &w.r32[o.c]
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		b, shared := u.word(w, o, i, as[i]+uint64(o.imm))
		if len(b) < 2 {
			return
		}
		old := uint32(0)
		if shared {
			old = uint32(binary.LittleEndian.Uint16(b))
			binary.LittleEndian.PutUint16(b, uint16(u.shared32(old, xs[i], ys[i])))
		} else {
			old = change16(b, u.f32, xs[i], ys[i])
		}
		if o.d >= 0 {
			w.r32[o.d][i] = old
		}
	}
}

// atom64 works on words of 64 bits.
func atom64(w *warp, o *op) {
	u, as, xs, ys := o.ext.(*atomUse), &w.r64[o.a], &w.r64[o.b], &w.r64[o.c]
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		b, shared := u.word(w, o, i, as[i]+uint64(o.imm))
		if len(b) < 8 {
			return
		}
		old := uint64(0)
		if shared {
			old = binary.LittleEndian.Uint64(b)
			binary.LittleEndian.PutUint64(b, u.shared64(old, xs[i], ys[i]))
		} else {
			old = change64(b, u.f64, xs[i], ys[i])
		}
		if o.d >= 0 {
			w.r64[o.d][i] = old
		}
	}
}
