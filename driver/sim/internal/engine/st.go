package engine

import (
	"encoding/binary"
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// st decodes a store: one operation for each element.
func (d *decoder) st(in *ptx.Instruction) error {
	a := accessOf(in)
	if len(a.rest) > 0 || a.elem == "" || a.elem.Bytes() > 8 || len(in.Operands) < 2 {
		return d.unsupported()
	}
	at, err := d.address(in.Operands[0])
	if err != nil {
		return err
	}
	if err := d.within(a.space, at); err != nil {
		return err
	}
	src := []ptx.Operand{in.Operands[1]}
	if v, ok := in.Operands[1].(*ptx.Vector); ok {
		src = v.Elems
	}
	if len(src) != a.n {
		return d.errorf("%d registers for %d elements", len(src), a.n)
	}
	if in.Has("release") {
		d.emit(op{fn: fence})
	}
	size := a.elem.Bytes()
	for i, x := range src {
		if err := d.store(x, a, at, int64(i*size), a.alignment(i)); err != nil {
			return err
		}
	}
	return nil
}

// store decodes the store of one element.
func (d *decoder) store(x ptx.Operand, a access, at addressed, off int64, align int) error {
	size := a.elem.Bytes()
	from, err := d.stored(x, a.elem)
	if err != nil {
		return err
	}
	o := op{d: from.slot, imm: at.off + off, size: uint8(size), align: uint8(align)}
	switch {
	case a.space == ptx.SpaceParam:
		if at.v == nil || at.v.space == kernelParam {
			return d.errorf("a parameter of an entry can't be written")
		}
		o.fn, o.imm = stFrame, o.imm+at.v.offset
		if o.imm < at.v.offset || o.imm+int64(size) > at.v.offset+at.v.size {
			return d.errorf("outside %s", at.v.name)
		}
	case a.space == ptx.SpaceConst:
		return d.unsupported()
	case a.space == ptx.SpaceGlobal:
		at = d.wide(at)
		o.a, o.slot = at.base.slot, d.nextSlot()
		o.fn = map[int]func(*warp, *op){1: stGlobal[uint8], 2: stGlobal[uint16], 4: stGlobal[uint32], 8: stGlobal64}[size]
	case a.space == ptx.SpaceShared && at.base.bank == bank32:
		o.a = at.base.slot
		o.fn = map[int]func(*warp, *op){1: stShared[uint8], 2: stShared[uint16], 4: stShared[uint32], 8: stShared64}[size]
	case a.space == ptx.SpaceShared:
		o.a = at.base.slot
		o.fn = map[int]func(*warp, *op){1: stSharedWide[uint8], 2: stSharedWide[uint16], 4: stSharedWide[uint32], 8: stSharedWide64}[size]
	default:
		at = d.wide(at)
		o.a, o.slot, o.ext = at.base.slot, d.nextSlot(), a.space
		o.fn = stAny
		if size == 8 {
			o.fn = stAny64
		}
	}
	d.emit(o)
	return nil
}

// stored is the register of what is stored, which may be wider than that.
func (d *decoder) stored(x ptx.Operand, t ptx.Type) (reg, error) {
	if r, ok := x.(*ptx.Register); ok {
		from, err := d.register(r.Name, r.Component)
		if err != nil {
			return from, err
		}
		if from.bank == bankPred || from.bits < 8*t.Bytes() {
			return from, d.errorf("%s is narrower than what is stored", x)
		}
		if from.bank == bank64 && t.Bytes() < 8 {
			n := d.temp32()
			d.move(n, from)
			from = n
		}
		return from, nil
	}
	return d.source(x, kind(t))
}

// put writes a little-endian number; the switch is resolved when the code is compiled.
func put[T elem](b []byte, off uint64, v T) {
	switch uint64(^T(0)) {
	case 0xff:
		b[off] = byte(v)
	case 0xffff:
		binary.LittleEndian.PutUint16(b[off:], uint16(v))
	case 0xffffffff:
		binary.LittleEndian.PutUint32(b[off:], uint32(v))
	default:
		binary.LittleEndian.PutUint64(b[off:], uint64(v))
	}
}

// The stores to global memory, and to shared memory at an address of 32 or 64 bits.
func stGlobal[T elem](w *warp, o *op) {
	a := w.allocation(o)
	if uint64(^T(0)) == 0xffffffff && w.mask == full {
		if to := row(&w.r64[o.a], a.Data, a.Base-uint64(o.imm)); to != nil {
			saveRow(to, &w.r32[o.d])
			return
		}
	}
	save[T](w, o, &w.r32[o.d], &w.r64[o.a], a, ptx.SpaceGlobal)
}
func stGlobal64(w *warp, o *op) {
	save[uint64](w, o, &w.r64[o.d], &w.r64[o.a], w.allocation(o), ptx.SpaceGlobal)
}
func stShared[T elem](w *warp, o *op) {
	save[T](w, o, &w.r32[o.d], &w.r32[o.a], &w.block.shared, ptx.SpaceShared)
}
func stShared64(w *warp, o *op) {
	save[uint64](w, o, &w.r64[o.d], &w.r32[o.a], &w.block.shared, ptx.SpaceShared)
}
func stSharedWide[T elem](w *warp, o *op) {
	save[T](w, o, &w.r32[o.d], &w.r64[o.a], &w.block.shared, ptx.SpaceShared)
}
func stSharedWide64(w *warp, o *op) {
	save[uint64](w, o, &w.r64[o.d], &w.r64[o.a], &w.block.shared, ptx.SpaceShared)
}

// save writes memory at the addresses as, which are probably all in a.
func save[T elem, D, A word](w *warp, o *op, d *[32]D, as *[32]A, a *Allocation, space ptx.Space) {
	size, align := uint64(o.size), uint64(o.align)
	base, data := a.Base-uint64(o.imm), a.Data
	m := w.mask
	if m == full && uint64(len(data)) >= size {
		last := uint64(len(data)) - size
		i := 0
		for ; i < 32; i++ {
			off := uint64(as[i&31]) - base
			if off > last || off&align != 0 {
				break
			}
			put(data, off, T(d[i&31]))
		}
		if i == 32 {
			return
		}
		m = full << i
	}
	for ; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		off := uint64(as[i]) - base
		if off >= uint64(len(data)) || uint64(len(data))-off < size || off&align != 0 {
			b := w.bytes(o, i, space, uint64(as[i]+A(o.imm)), size)
			if b == nil {
				return
			}
			put(b, 0, T(d[i]))
			if space == ptx.SpaceGlobal { // the rest is probably there too
				a = w.found[o.slot]
				base, data = a.Base-uint64(o.imm), a.Data
			}
			continue
		}
		put(data, off, T(d[i]))
	}
}

// stAny writes in any space, generic addresses too.
func stAny(w *warp, o *op) {
	d, as, space := &w.r32[o.d], &w.r64[o.a], o.ext.(ptx.Space)
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		b := w.bytes(o, i, space, as[i]+uint64(o.imm), uint64(o.size))
		if b == nil {
			return
		}
		store(b, uint64(d[i]))
	}
}

func stAny64(w *warp, o *op) {
	d, as, space := &w.r64[o.d], &w.r64[o.a], o.ext.(ptx.Space)
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		b := w.bytes(o, i, space, as[i]+uint64(o.imm), 8)
		if b == nil {
			return
		}
		binary.LittleEndian.PutUint64(b, d[i])
	}
}

// store writes a number into up to 8 bytes.
func store(b []byte, v uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// stFrame writes a parameter or result of a device function.
func stFrame(w *warp, o *op) {
	stride := w.act.fn.params
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		b := w.act.param[i*stride+int(o.imm):][:o.size]
		if o.size == 8 {
			store(b, w.r64[o.d][i])
		} else {
			store(b, uint64(w.r32[o.d][i]))
		}
	}
}
