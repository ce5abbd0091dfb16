package engine

import "github.com/purecuda/purecuda/abi/ptx"

// cvt decodes a conversion. Its registers may be wider than its types: a wider source is cut, a wider destination gets the result extended
// by the type's sign.
func (d *decoder) cvt(in *ptx.Instruction) error {
	f := formOf(in.Form())
	if f == nil {
		return d.unsupported()
	}
	if len(in.Operands) != len(f.kinds) {
		return d.errorf("%d operands instead of %d", len(in.Operands), len(f.kinds))
	}
	o := op{fn: f.fn}
	for i, at := range []*int32{&o.a, &o.b}[:len(f.kinds)-1] {
		r, err := d.wider(in.Operands[i+1], f.kinds[i+1])
		if err != nil {
			return err
		}
		*at = r.slot
	}
	k := f.kinds[0]
	var to reg
	x, isReg := in.Operands[0].(*ptx.Register)
	var err error
	if isReg {
		to, err = d.register(x.Name, x.Component)
	} else {
		to, err = d.dest(in.Operands[0], k)
	}
	if err != nil {
		return err
	}
	if to.bank == bankPred || to.bits < k.bits() {
		return d.errorf("%s has not the width of .%s", in.Operands[0], k)
	}
	raw := to
	if to.bits > k.bits() {
		raw = d.newReg(ptx.Type(k))
		if to.bank == bank32 && k[0] != 's' { // the bits above are zero as they are
			raw = to
		}
	}
	o.d = raw.slot
	d.emit(o)
	if raw != to {
		d.extend(to, raw, k[0] == 's')
	}
	return nil
}

// wider is the register of a source that may be wider than its kind.
func (d *decoder) wider(x ptx.Operand, k kind) (reg, error) {
	if r, ok := x.(*ptx.Register); ok && k.bank() == bank32 {
		from, err := d.register(r.Name, r.Component)
		if err == nil && from.bank == bank64 {
			t := d.temp32()
			d.move(t, from)
			return t, nil
		}
	}
	return d.source(x, k)
}
