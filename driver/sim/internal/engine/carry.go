package engine

import (
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// The instructions with a carry flag: add.cc, addc, sub.cc, subc, mad.cc, madc. See the PTX ISA manual, "Extended-Precision Integer
// Arithmetic Instructions". The flag CC.CF is a predicate register of the function: calls do not keep it.

// carrying decodes add, sub and mad, of which some set the flag.
func (d *decoder) carrying(in *ptx.Instruction) error {
	if in.Has("cc") {
		return d.carry(in)
	}
	return d.tabled(in)
}

// A carryOp is what such an instruction does in a lane.
type carryOp struct {
	do32 func(a, b, c, carry uint32) (uint32, uint32)
	do64 func(a, b, c, carry uint64) (uint64, uint64)
	zero uint32 // the carry where it takes no flag
	in   bool   // it takes the flag
	out  bool   // it sets it
}

// carryOpOf is the one of an opcode without its c, and .hi or .lo; signed where that makes a difference. nil if there is none.
func carryOpOf(opcode string) *carryOp {
	switch opcode {
	case "add":
		return &carryOp{do32: func(a, b, _, carry uint32) (uint32, uint32) { return number.AddCarry32(a, b, carry) },
			do64: func(a, b, _, carry uint64) (uint64, uint64) { return number.AddCarry64(a, b, carry) }}
	case "sub":
		return &carryOp{do32: func(a, b, _, carry uint32) (uint32, uint32) { return number.SubCarry32(a, b, carry) },
			do64: func(a, b, _, carry uint64) (uint64, uint64) { return number.SubCarry64(a, b, carry) }, zero: 1}
	case "mad.lo":
		return &carryOp{do32: number.MadLoCarry32, do64: number.MadLoCarry64}
	case "mad.hi.u":
		return &carryOp{do32: number.MadHiCarryU32, do64: number.MadHiCarryU64}
	case "mad.hi.s":
		return &carryOp{do32: number.MadHiCarryS32, do64: number.MadHiCarryS64}
	}
	return nil
}

func (d *decoder) carry(in *ptx.Instruction) error {
	opcode, takes := in.Opcode, false
	if opcode[len(opcode)-1] == 'c' {
		opcode, takes = opcode[:len(opcode)-1], true
	}
	k, sets := kind(""), false
	for _, m := range in.Modifiers {
		switch m {
		case "cc":
			sets = true
		case "lo", "hi":
			opcode += "." + m
		case "u32", "s32", "u64", "s64":
			k = kind(m)
		default:
			return d.unsupported()
		}
	}
	if k != "" && opcode == "mad.hi" {
		opcode += "." + string(k[:1])
	}
	c := carryOpOf(opcode)
	sources := pick(len(opcode) > 3, 3, 2)
	if c == nil || k == "" {
		return d.unsupported()
	}
	if len(in.Operands) != sources+1 {
		return d.errorf("%d operands instead of %d", len(in.Operands), sources+1)
	}
	c.in, c.out = takes, sets
	if d.cc == nil {
		cc := d.tempPred()
		d.cc = &cc
	}
	o := op{fn: carry32, e: d.cc.slot, ext: c}
	if k.bank() == bank64 {
		o.fn = carry64
	}
	for i, at := range []*int32{&o.a, &o.b, &o.c}[:sources] {
		r, err := d.source(in.Operands[i+1], k)
		if err != nil {
			return err
		}
		*at = r.slot
	}
	r, err := d.dest(in.Operands[0], k)
	if err != nil {
		return err
	}
	o.d = r.slot
	d.emit(o)
	return nil
}

func carry32(w *warp, o *op) {
	c, flag := o.ext.(*carryOp), w.p[o.e]
	d, as, bs, cs := &w.r32[o.d], &w.r32[o.a], &w.r32[o.b], &w.r32[o.c]
	next := flag
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		carry := c.zero
		if c.in {
			carry = flag >> i & 1
		}
		var out uint32
		d[i], out = c.do32(as[i], bs[i], cs[i], carry)
		next = next&^(1<<i) | out<<i
	}
	if c.out {
		w.p[o.e] = next
	}
}

func carry64(w *warp, o *op) {
	c, flag := o.ext.(*carryOp), w.p[o.e]
	d, as, bs, cs := &w.r64[o.d], &w.r64[o.a], &w.r64[o.b], &w.r64[o.c]
	next := flag
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		carry := uint64(c.zero)
		if c.in {
			carry = uint64(flag >> i & 1)
		}
		var out uint64
		d[i], out = c.do64(as[i], bs[i], cs[i], carry)
		next = next&^(1<<i) | uint32(out)<<i
	}
	if c.out {
		w.p[o.e] = next
	}
}
