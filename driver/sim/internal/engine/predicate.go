package engine

import "github.com/purecuda/purecuda/abi/ptx"

func movPred(w *warp, o *op) { w.p[o.d] = w.p[o.d]&^w.mask | w.p[o.a]&w.mask }
func notPred(w *warp, o *op) { w.p[o.d] = w.p[o.d]&^w.mask | ^w.p[o.a]&w.mask }
func andPred(w *warp, o *op) { w.p[o.d] = w.p[o.d]&^w.mask | w.p[o.a]&w.p[o.b]&w.mask }
func orPred(w *warp, o *op)  { w.p[o.d] = w.p[o.d]&^w.mask | (w.p[o.a]|w.p[o.b])&w.mask }
func xorPred(w *warp, o *op) { w.p[o.d] = w.p[o.d]&^w.mask | (w.p[o.a]^w.p[o.b])&w.mask }

func setPred(w *warp, o *op) {
	v := uint32(0)
	if o.imm != 0 {
		v = full
	}
	w.p[o.d] = w.p[o.d]&^w.mask | v&w.mask
}

// boolOp is what setp and set combine a comparison with a predicate by, nil if that is no name of one.
func boolOp(name string) func(*warp, *op) {
	switch name {
	case "and":
		return andPred
	case "or":
		return orPred
	case "xor":
		return xorPred
	}
	return nil
}

// setp compares: setp.CMP{.BOOL}{.ftz}.TYPE p{|q}, a, b{, c}, where p is CMP(a,b) BOOL c and q is !CMP(a,b) BOOL c.
func (d *decoder) setp(in *ptx.Instruction) error {
	name, combine := "setp", (func(*warp, *op))(nil)
	for i, m := range in.Modifiers {
		if f := boolOp(m); f != nil && i == 1 {
			combine = f
			continue
		}
		name += "." + m
	}
	if ofPairs(in) {
		return d.setpPairs(in, name, combine)
	}
	f := formOf(name)
	if f == nil {
		return d.unsupported()
	}
	want := pick(combine != nil, 4, 3)
	if len(in.Operands) != want {
		return d.errorf("%d operands instead of %d", len(in.Operands), want)
	}
	p, q := in.Operands[0], ptx.Operand(nil)
	if pair, ok := p.(*ptx.Pair); ok {
		p, q = pair.First, pair.Second
	}
	if combine == nil && q == nil {
		return d.apply(f, []ptx.Operand{p, in.Operands[1], in.Operands[2]})
	}
	a, err := d.source(in.Operands[1], f.kinds[1])
	if err != nil {
		return err
	}
	b, err := d.source(in.Operands[2], f.kinds[2])
	if err != nil {
		return err
	}
	var c reg
	if combine != nil {
		if c, err = d.source(in.Operands[3], "pred"); err != nil {
			return err
		}
	}
	cmp := d.tempPred()
	d.emit(op{fn: f.fn, d: cmp.slot, a: a.slot, b: b.slot})
	not := d.tempPred()
	if q != nil {
		d.emit(op{fn: notPred, d: not.slot, a: cmp.slot})
	}
	for _, r := range []struct {
		to   ptx.Operand
		from reg
	}{{p, cmp}, {q, not}} {
		if r.to == nil {
			continue
		}
		// c is read for both results, so the first must not be its register yet.
		t := d.tempPred()
		if combine == nil {
			d.emit(op{fn: movPred, d: t.slot, a: r.from.slot})
		} else {
			d.emit(op{fn: combine, d: t.slot, a: r.from.slot, b: c.slot})
		}
		if r.from == cmp {
			cmp = t
		} else {
			not = t
		}
	}
	for _, r := range []struct {
		to   ptx.Operand
		from reg
	}{{p, cmp}, {q, not}} {
		if r.to == nil {
			continue
		}
		to, err := d.dest(r.to, "pred")
		if err != nil {
			return err
		}
		d.emit(op{fn: movPred, d: to.slot, a: r.from.slot})
	}
	return nil
}
