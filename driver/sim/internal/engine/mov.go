package engine

import "github.com/purecuda/purecuda/abi/ptx"

// mov copies, takes addresses, and packs and unpacks vectors.
func (d *decoder) mov(in *ptx.Instruction) error {
	if len(in.Operands) != 2 || len(in.Modifiers) != 1 {
		return d.unsupported()
	}
	dst, src := in.Operands[0], in.Operands[1]
	k := kind(in.Modifiers[0])
	if k == "pred" {
		s, err := d.source(src, k)
		if err != nil {
			return err
		}
		t, err := d.dest(dst, k)
		if err != nil {
			return err
		}
		d.emit(op{fn: movPred, d: t.slot, a: s.slot})
		return nil
	}
	if v, ok := dst.(*ptx.Vector); ok {
		return d.unpack(v, src, k)
	}
	if v, ok := src.(*ptx.Vector); ok {
		return d.pack(dst, v, k)
	}
	if d.aliasing && d.once(dst) {
		if s, err := d.source(src, k); err != nil || d.alias(dst, src, s) {
			return err
		}
	}
	return d.tabled(in)
}

// pack puts the elements of a vector into one register, the first lowest.
func (d *decoder) pack(dst ptx.Operand, v *ptx.Vector, k kind) error {
	part := k.bits() / max(len(v.Elems), 1)
	pk := kind("b" + map[int]string{8: "8", 16: "16", 32: "32"}[part])
	if pk == "b" {
		return d.unsupported()
	}
	t, err := d.dest(dst, k)
	if err != nil {
		return err
	}
	wide := d.temp64() // not t: an element may be in the same register
	for i, e := range v.Elems {
		s, err := d.source(e, pk)
		if err != nil {
			return err
		}
		d.emit(op{fn: packPart, d: wide.slot, a: s.slot, imm: int64(i * part), b: int32(part)})
	}
	d.move(t, wide)
	return nil
}

// unpack takes a register apart.
func (d *decoder) unpack(v *ptx.Vector, src ptx.Operand, k kind) error {
	part := k.bits() / max(len(v.Elems), 1)
	pk := kind("b" + map[int]string{8: "8", 16: "16", 32: "32"}[part])
	if pk == "b" {
		return d.unsupported()
	}
	s, err := d.source(src, k)
	if err != nil {
		return err
	}
	wide := d.temp64()
	d.move(wide, s)
	for i, e := range v.Elems {
		if _, ok := e.(*ptx.Sink); ok {
			continue
		}
		t, err := d.dest(e, pk)
		if err != nil {
			return err
		}
		d.emit(op{fn: unpackPart, d: t.slot, a: wide.slot, imm: int64(i * part), b: int32(part)})
	}
	return nil
}

// move copies a register into another, cut or zero-extended to its width.
func (d *decoder) move(to, from reg) {
	o := op{d: to.slot, a: from.slot}
	switch {
	case to.bank == bank64 && from.bank == bank64:
		o.fn = opMovB64
	case to.bank == bank64:
		o.fn = widen
	case from.bank == bank64 && to.bits == 16:
		o.fn = narrow16
	case from.bank == bank64:
		o.fn = narrow
	case to.bits == 16:
		o.fn = opMovB16
	default:
		o.fn = opMovB32
	}
	d.emit(o)
}

func packPart(w *warp, o *op) {
	d, a := &w.r64[o.d], &w.r32[o.a]
	mask := uint64(1)<<uint(o.b) - 1
	shift := uint(o.imm) & 63
	each(w.mask, func(i int) {
		d[i] = d[i]&^(mask<<shift) | (uint64(a[i])&mask)<<shift
	})
}

func unpackPart(w *warp, o *op) {
	d, a := &w.r32[o.d], &w.r64[o.a]
	mask := uint64(1)<<uint(o.b) - 1
	shift := uint(o.imm) & 63
	each(w.mask, func(i int) { d[i] = uint32(a[i] >> shift & mask) })
}

func widen(w *warp, o *op) {
	d, a := &w.r64[o.d], &w.r32[o.a]
	each(w.mask, func(i int) { d[i] = uint64(a[i]) })
}

func narrow(w *warp, o *op) {
	d, a := &w.r32[o.d], &w.r64[o.a]
	each(w.mask, func(i int) { d[i] = uint32(a[i]) })
}

func narrow16(w *warp, o *op) {
	d, a := &w.r32[o.d], &w.r64[o.a]
	each(w.mask, func(i int) { d[i] = uint32(uint16(a[i])) })
}

func addImm32(w *warp, o *op) {
	d, a := &w.r32[o.d], &w.r32[o.a]
	each(w.mask, func(i int) { d[i] = a[i] + uint32(o.imm) })
}

func addImm64(w *warp, o *op) {
	d, a := &w.r64[o.d], &w.r64[o.a]
	each(w.mask, func(i int) { d[i] = a[i] + uint64(o.imm) })
}
