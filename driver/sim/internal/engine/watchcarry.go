package engine

import (
	"math/bits"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
)

// carried are the registers that an instruction moves bytes to, and those that it takes them from; nil for one that computes.
func carried(in *ptx.Instruction) (to, from []ptx.Operand) {
	if in == nil {
		return nil, nil
	}
	x, mods := in.Operands, in.Modifiers
	if len(x) < 2 || len(mods) == 0 {
		return nil, nil
	}
	number := func(i int) bool {
		if i >= len(x) {
			return false
		}
		_, ok := x[i].(*ptx.Int)
		return ok
	}
	last := mods[len(mods)-1]
	switch in.Opcode {
	case "mov":
		if last != "pred" && len(x) == 2 {
			return elements(x[0]), elements(x[1])
		}
	case "selp":
		if len(x) == 4 {
			return x[:1], x[1:3]
		}
	case "and", "or", "xor":
		if last != "pred" && len(x) == 3 {
			return x[:1], x[1:]
		}
	case "not":
		if last != "pred" && len(x) == 2 {
			return x[:1], x[1:]
		}
	case "shl", "shr":
		if number(2) {
			return x[:1], x[1:2]
		}
	case "cvt":
		if len(mods) == 2 && len(x) == 2 && strings.Contains("us", mods[0][:1]) && strings.Contains("us", mods[1][:1]) {
			return x[:1], x[1:]
		}
	case "prmt":
		if len(mods) == 1 && len(x) == 4 && number(3) {
			return x[:1], x[1:3]
		}
	case "bfe":
		if len(x) == 4 && number(2) && number(3) {
			return x[:1], x[1:2]
		}
	case "bfi":
		if len(x) == 5 && number(3) && number(4) {
			return x[:1], x[1:3]
		}
	}
	return nil, nil
}

// carry emits what gives the results of such an instruction their shadows.
func (u *uses) carry(in *ptx.Instruction, to, from []ptx.Operand) error {
	if in.Opcode == "mov" && len(to) != len(from) {
		return u.carryParts(in, to, from)
	}
	slots, any := []int32{}, false
	for _, x := range from {
		slot, ok, err := u.shadow(x)
		if err != nil {
			return err
		}
		if any = any || ok; !ok {
			slot = u.d.const32(0).slot
		}
		slots = append(slots, slot)
	}
	var ds []int32
	for _, x := range to {
		slot, ok, err := u.shadow(x)
		if err != nil {
			return err
		}
		ds = append(ds, pick(ok, slot, -1))
	}
	if !any {
		for _, d := range ds {
			if d >= 0 {
				u.d.emit(op{fn: clearShadow, d: d})
			}
		}
		return nil
	}
	switch {
	case in.Opcode != "mov" && ds[0] < 0: // the result goes nowhere
	case in.Opcode == "mov": // element by element
		for i, d := range ds {
			if d >= 0 {
				u.d.emit(op{fn: carryShadow, d: d, a: slots[i], b: slots[i], ext: carryAll})
			}
		}
	case in.Opcode == "selp":
		p, err := u.d.source(in.Operands[3], "pred")
		if err != nil {
			return err
		}
		u.d.emit(op{fn: pickShadow, d: ds[0], a: slots[0], b: slots[1], c: p.slot})
	default:
		u.d.emit(op{fn: carryShadow, d: ds[0], a: slots[0], b: slots[len(slots)-1], ext: carriedBytes(in)})
	}
	return nil
}

// carryParts emits what a mov that packs or unpacks a vector carries.
func (u *uses) carryParts(in *ptx.Instruction, to, from []ptx.Operand) error {
	size := kind(in.Modifiers[0]).bits() / 8
	part := size / max(len(to), len(from))
	whole, pieces := from[0], to
	if len(to) == 1 {
		whole, pieces = to[0], from
	}
	slot, ok, err := u.shadow(whole)
	if err != nil || !ok || part == 0 {
		return err
	}
	if len(to) == 1 { // pieces may be where the whole is, so that is made elsewhere
		t := u.d.temp32().slot
		u.d.emit(op{fn: clearShadow, d: t})
		for i, x := range pieces {
			p, ok, err := u.shadow(x)
			if err != nil {
				return err
			}
			if ok {
				shift := i * part
				u.d.emit(op{fn: carryShadow, d: t, a: t, b: p, ext: func(a, b uint32) uint32 { return a | b<<shift }})
			}
		}
		u.d.emit(op{fn: carryShadow, d: slot, a: t, b: t, ext: carryAll})
		return nil
	}
	t := u.d.temp32().slot
	u.d.emit(op{fn: carryShadow, d: t, a: slot, b: slot, ext: carryAll})
	for i, x := range pieces {
		shift, mask := i*part, uint32(1)<<part-1
		err := u.loaded(x, func(d int32) error {
			u.d.emit(op{fn: carryShadow, d: d, a: t, b: t, ext: func(a, _ uint32) uint32 { return a >> shift & mask }})
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func carryAll(a, b uint32) uint32 { return a | b }

// carriedBytes is how an instruction makes the unwritten bytes of its result of those of its operands.
func carriedBytes(in *ptx.Instruction) func(a, b uint32) uint32 {
	size := kind(in.Modifiers[len(in.Modifiers)-1]).bits() / 8
	all := uint32(1)<<size - 1
	n := func(i int) int64 { return in.Operands[i].(*ptx.Int).Value }
	switch in.Opcode {
	case "and":
		for _, x := range in.Operands[1:] {
			if mask, ok := x.(*ptx.Int); ok {
				keep := uint32(0)
				for i := range size {
					if byte(mask.Value>>(8*i)) == 0xff {
						keep |= 1 << i
					}
				}
				return func(a, b uint32) uint32 { return (a | b) & keep }
			}
		}
	case "shl":
		by, odd := min(n(2)/8, 8), n(2)%8 != 0
		return func(a, _ uint32) uint32 { return (a<<by | pick(odd, a<<(by+1), 0)) & all }
	case "shr":
		by, odd := min(n(2)/8, 8), n(2)%8 != 0
		return func(a, _ uint32) uint32 { return a&all>>by | pick(odd, a&all>>(by+1), 0) }
	case "cvt":
		size = min(size, kind(in.Modifiers[0]).bits()/8)
		all = uint32(1)<<size - 1
		return func(a, _ uint32) uint32 { return a & all }
	case "prmt":
		sel := n(3)
		return func(a, b uint32) uint32 {
			r := uint32(0)
			for i := range 4 {
				r |= (a&15 | b<<4) >> (sel >> (4 * i) & 7) & 1 << i
			}
			return r
		}
	case "bfe":
		field := covered(n(2), n(3))
		return func(a, _ uint32) uint32 {
			if a&field == 0 {
				return 0
			}
			return 1<<max(bits.OnesCount32(field), 1) - 1
		}
	case "bfi": // d is b with bits of a in it
		field := covered(n(3), n(4))
		return func(a, b uint32) uint32 { return b&^field | pick(a != 0, field, 0) }
	}
	return carryAll
}

// covered is a mask of the bytes with the n bits from first on.
func covered(first, n int64) uint32 {
	if first < 0 || n <= 0 || first > 63 {
		return 0
	}
	last := min(first+n, 64) - 1
	return (1<<(last/8+1) - 1) &^ (1<<(first/8) - 1)
}

// carryShadow makes a shadow of two, by o.ext.
func carryShadow(w *warp, o *op) {
	d, as, bs := &w.r32[o.d], &w.r32[o.a], &w.r32[o.b]
	f := o.ext.(func(a, b uint32) uint32)
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		a, b := as[i], bs[i]
		if (a|b)&shadowBytes == 0 {
			d[i] = 0
			continue
		}
		r := f(a&shadowBytes, b&shadowBytes) & shadowBytes
		if r != 0 {
			r |= pick(a&shadowBytes != 0, a, b) &^ shadowBytes
		}
		d[i] = r
	}
}

// pickShadow is carryShadow of selp.
func pickShadow(w *warp, o *op) {
	d, as, bs, p := &w.r32[o.d], &w.r32[o.a], &w.r32[o.b], w.p[o.c]
	each(w.mask, func(i int) { d[i] = pick(p>>(i&31)&1 != 0, as[i], bs[i]) })
}
