package engine

import (
	"encoding/binary"
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// ld decodes a load: one operation for each element.
func (d *decoder) ld(in *ptx.Instruction) error {
	a := accessOf(in)
	if len(a.rest) > 0 || a.elem == "" || a.elem.Bytes() > 8 || len(in.Operands) < 2 {
		return d.unsupported()
	}
	at, err := d.address(in.Operands[1])
	if err != nil {
		return err
	}
	if err := d.within(a.space, at); err != nil {
		return err
	}
	dst := []ptx.Operand{in.Operands[0]}
	if v, ok := in.Operands[0].(*ptx.Vector); ok {
		dst = v.Elems
	}
	if len(dst) != a.n {
		return d.errorf("%d registers for %d elements", len(dst), a.n)
	}
	size := a.elem.Bytes()
	if a.n > 1 && at.v == nil { // a register of the vector may be the address
		t := reg{at.base.bank, 0, at.base.bits}
		if t.bank == bank64 {
			t = d.temp64()
		} else {
			t = d.temp32()
		}
		d.move(t, at.base)
		at.base = t
	}
	for i, x := range dst {
		if err := d.load(x, a, at, int64(i*size), a.alignment(i)); err != nil {
			return err
		}
	}
	if in.Has("acquire") {
		d.emit(op{fn: fence})
	}
	return nil
}

// load decodes the load of one element into x.
func (d *decoder) load(x ptx.Operand, a access, at addressed, off int64, align int) error {
	size := a.elem.Bytes()
	if a.space == ptx.SpaceParam && at.v != nil && at.v.space == kernelParam && size >= 4 && align == size-1 &&
		at.off+off >= 0 && at.off+off+int64(size) <= at.v.size && d.aliasing && d.once(x) {
		// The same in all lanes of all blocks: a register that the launch fills in.
		from := d.specialSlot(special{what: paramValue, bank: bankOf(a.elem), off: int32(at.v.offset + at.off + off)})
		if d.alias(x, nil, from) {
			return nil
		}
	}
	var to reg
	if r, ok := x.(*ptx.Register); ok {
		var err error
		if to, err = d.register(r.Name, r.Component); err != nil {
			return err
		}
	} else if _, ok := x.(*ptx.Sink); ok {
		to = d.newReg(a.elem)
	} else {
		return d.errorf("%s can't take a result", x)
	}
	if to.bank == bankPred || to.bits < 8*size {
		return d.errorf("%s is narrower than what is loaded", x)
	}
	raw := to
	if to.bits != 8*size { // wider: loaded first, then extended
		raw = d.newReg(a.elem)
	}
	o := op{d: raw.slot, imm: at.off + off, size: uint8(size), align: uint8(align)}
	space := a.space
	if space == ptx.SpaceParam && at.v == nil { // at an address in a register
		if !d.f.source.Entry {
			return d.unsupported()
		}
		space = kernelParam
	}
	switch {
	case space == ptx.SpaceParam && at.v.space == kernelParam:
		o.fn, o.imm = ldParam, o.imm+at.v.offset
		if o.imm < at.v.offset || o.imm+int64(size) > at.v.offset+at.v.size {
			return d.errorf("outside the parameter %s", at.v.name)
		}
	case space == ptx.SpaceParam:
		o.fn, o.imm = ldFrame, o.imm+at.v.offset
		if o.imm < at.v.offset || o.imm+int64(size) > at.v.offset+at.v.size {
			return d.errorf("outside %s", at.v.name)
		}
	case space == ptx.SpaceGlobal || space == ptx.SpaceConst:
		at = d.wide(at)
		o.a, o.slot = at.base.slot, d.nextSlot()
		o.fn = map[int]func(*warp, *op){1: ldGlobal[uint8], 2: ldGlobal[uint16], 4: ldGlobal[uint32], 8: ldGlobal64}[size]
	case space == ptx.SpaceShared && at.base.bank == bank32:
		o.a = at.base.slot
		o.fn = map[int]func(*warp, *op){1: ldShared[uint8], 2: ldShared[uint16], 4: ldShared[uint32], 8: ldShared64}[size]
	case space == ptx.SpaceShared:
		o.a = at.base.slot
		o.fn = map[int]func(*warp, *op){1: ldSharedWide[uint8], 2: ldSharedWide[uint16], 4: ldSharedWide[uint32], 8: ldSharedWide64}[size]
	default:
		at = d.wide(at)
		o.a, o.slot, o.ext = at.base.slot, d.nextSlot(), space
		o.fn = ldAny
		if size == 8 {
			o.fn = ldAny64
		}
	}
	d.emit(o)
	if raw != to {
		d.extend(to, raw, a.elem[0] == 's')
	}
	return nil
}

// nextSlot deals the remembered allocations to memory operations in turn.
func (d *decoder) nextSlot() uint8 {
	d.memory++
	return uint8(d.memory & 7)
}

// extend copies a narrower register into a wider one.
func (d *decoder) extend(to, from reg, signed bool) {
	o := op{d: to.slot, a: from.slot, imm: int64(from.bits), fn: zext}
	switch {
	case to.bank == bank64 && signed:
		o.fn = sext64
	case to.bank == bank64:
		o.fn = widen
	case signed && to.bits == 16:
		o.fn = sext16
	case signed:
		o.fn = sext
	}
	d.emit(o)
}

func zext(w *warp, o *op) {
	d, a := &w.r32[o.d], &w.r32[o.a]
	each(w.mask, func(i int) { d[i] = a[i] })
}

func sext(w *warp, o *op) {
	d, a := &w.r32[o.d], &w.r32[o.a]
	n := 32 - uint(o.imm)
	each(w.mask, func(i int) { d[i] = uint32(int32(a[i]<<n) >> n) })
}

func sext16(w *warp, o *op) {
	d, a := &w.r32[o.d], &w.r32[o.a]
	each(w.mask, func(i int) { d[i] = uint32(uint16(int8(a[i]))) })
}

func sext64(w *warp, o *op) {
	d, a := &w.r64[o.d], &w.r32[o.a]
	n := 32 - uint(o.imm)
	each(w.mask, func(i int) { d[i] = uint64(int64(int32(a[i]<<n) >> n)) })
}

// ldParam reads a parameter of the entry: the same for all lanes.
func ldParam(w *warp, o *op) {
	p := w.block.grid.launch.Params[o.imm:]
	if o.size == 8 {
		v, d := binary.LittleEndian.Uint64(p), &w.r64[o.d]
		if w.all {
			for i := range d {
				d[i] = v
			}
			return
		}
		each(w.mask, func(i int) { d[i] = v })
		return
	}
	v, d := uint32(little(p[:o.size])), &w.r32[o.d]
	if w.all {
		for i := range d {
			d[i] = v
		}
		return
	}
	each(w.mask, func(i int) { d[i] = v })
}

// little is the number in up to 8 bytes.
func little(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// ldFrame reads a parameter or result of a device function.
func ldFrame(w *warp, o *op) {
	stride := w.act.fn.params
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		v := little(w.act.param[i*stride+int(o.imm):][:o.size])
		if o.size == 8 {
			w.r64[o.d][i] = v
		} else {
			w.r32[o.d][i] = uint32(v)
		}
	}
}

// An elem is an element of memory as the register that it goes to, or comes from, has it.
type elem interface {
	uint8 | uint16 | uint32 | uint64
}

// A word is a lane of a register.
type word interface{ uint32 | uint64 }

// get reads a little-endian number; the switch is resolved when the code is compiled.
func get[T elem](b []byte, off uint64) T {
	switch uint64(^T(0)) {
	case 0xff:
		return T(b[off])
	case 0xffff:
		return T(binary.LittleEndian.Uint16(b[off:]))
	case 0xffffffff:
		return T(binary.LittleEndian.Uint32(b[off:]))
	}
	return T(binary.LittleEndian.Uint64(b[off:]))
}

// The loads from global memory, and from shared memory at an address of 32 or 64 bits.
func ldGlobal[T elem](w *warp, o *op) {
	a := w.allocation(o)
	if uint64(^T(0)) == 0xffffffff && w.mask == full {
		if from := row(&w.r64[o.a], a.Data, a.Base-uint64(o.imm)); from != nil {
			loadRow(&w.r32[o.d], from)
			return
		}
	}
	load[T](w, o, &w.r32[o.d], &w.r64[o.a], a, ptx.SpaceGlobal)
}
func ldGlobal64(w *warp, o *op) {
	load[uint64](w, o, &w.r64[o.d], &w.r64[o.a], w.allocation(o), ptx.SpaceGlobal)
}
func ldShared[T elem](w *warp, o *op) {
	load[T](w, o, &w.r32[o.d], &w.r32[o.a], &w.block.shared, ptx.SpaceShared)
}
func ldShared64(w *warp, o *op) {
	load[uint64](w, o, &w.r64[o.d], &w.r32[o.a], &w.block.shared, ptx.SpaceShared)
}
func ldSharedWide[T elem](w *warp, o *op) {
	load[T](w, o, &w.r32[o.d], &w.r64[o.a], &w.block.shared, ptx.SpaceShared)
}
func ldSharedWide64(w *warp, o *op) {
	load[uint64](w, o, &w.r64[o.d], &w.r64[o.a], &w.block.shared, ptx.SpaceShared)
}

// load reads memory at the addresses as, which are probably all in a.
func load[T elem, D, A word](w *warp, o *op, d *[32]D, as *[32]A, a *Allocation, space ptx.Space) {
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
			d[i&31] = D(get[T](data, off))
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
			d[i] = D(get[T](b, 0))
			if space == ptx.SpaceGlobal { // the rest is probably there too
				a = w.found[o.slot]
				base, data = a.Base-uint64(o.imm), a.Data
			}
			continue
		}
		d[i] = D(get[T](data, off))
	}
}

// ldAny reads in any space, generic addresses too.
func ldAny(w *warp, o *op) {
	d, as, space := &w.r32[o.d], &w.r64[o.a], o.ext.(ptx.Space)
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		b := w.bytes(o, i, space, as[i]+uint64(o.imm), uint64(o.size))
		if b == nil {
			return
		}
		d[i] = uint32(little(b))
	}
}

func ldAny64(w *warp, o *op) {
	d, as, space := &w.r64[o.d], &w.r64[o.a], o.ext.(ptx.Space)
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		b := w.bytes(o, i, space, as[i]+uint64(o.imm), 8)
		if b == nil {
			return
		}
		d[i] = binary.LittleEndian.Uint64(b)
	}
}
