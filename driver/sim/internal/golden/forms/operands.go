package forms

import (
	"encoding/binary"
	"math"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// crossed is how many edges of each of two operands are crossed.
const crossed = 24

// count is how many tuples a case gets.
func count(c *Case) int {
	n := 1024
	if len(c.In) == 2 && kindOf(c.In[0]).size > 1 && kindOf(c.In[1]).size > 1 {
		n = 1280
	}
	return n
}

// Operands are the values of the case's operands, one slice for each: what its kernel gets.
func (c *Case) Operands() [][]byte {
	r := golden.NewDice(c.Name)
	ks := make([]kind, len(c.In))
	out := make([][]byte, len(c.In))
	for j, name := range c.In {
		ks[j] = kindOf(name)
	}
	for i := range c.Count {
		for j, v := range tuple(r, ks, i, c.Count) {
			out[j] = append(out[j], v[:ks[j].size]...)
		}
	}
	return out
}

// tuple is the i-th of n tuples, of little-endian numbers.
func tuple(r *golden.Dice, ks []kind, i, n int) [][32]byte {
	all := make([][32]byte, len(ks))
	values := make([]uint64, len(ks))
	cross := len(ks) == 2 && ks[0].lanes == 0 && ks[1].lanes == 0
	for j, k := range ks {
		e := k.edges()
		m := min(len(e), crossed)
		switch {
		case len(ks) == 1 && n == 1<<16 && k.size == 2: // every one there is
			values[j] = uint64(i)
		case k.style != anyNumber:
			k.styled(r, all[j][:k.size])
			values[j] = binary.LittleEndian.Uint64(all[j][:])
		case k.size > 8:
			for at := 8; at < k.size; at += 8 {
				binary.LittleEndian.PutUint64(all[j][at:], r.Next())
			}
			values[j] = r.Next()
		case len(ks) == 1 && i < len(e):
			values[j] = k.each(r, func() uint64 { return e[i] })
		case cross && i < min(len(ks[0].edges()), crossed)*min(len(ks[1].edges()), crossed):
			at := i
			if j == 0 {
				at = i / min(len(ks[1].edges()), crossed)
			}
			values[j] = e[at%m]
		case r.OneIn(2):
			values[j] = k.each(r, func() uint64 { return e[r.Below(len(e))] })
		default:
			values[j] = k.any(r)
		}
	}
	if !cross || i >= n/2 {
		relate(r, ks, values)
	}
	for j, v := range values {
		binary.LittleEndian.PutUint64(all[j][:8], v)
	}
	return all
}

// styled fills b with numbers of the kind's style.
func (k kind) styled(r *golden.Dice, b []byte) {
	lanes := max(k.lanes, 1)
	size := k.size / lanes
	for lane := range lanes {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], k.number(r, 8*size))
		copy(b[size*lane:], word[:size])
	}
}

// number is one of the kind's style, of so many bits where it is no floating-point number.
func (k kind) number(r *golden.Dice, bits int) uint64 {
	n := r.Below(9) - 4
	f := k.float
	if f == nil {
		return uint64(n) & (1<<bits - 1)
	}
	sign := uint64(0)
	if n < 0 || k.style == unit && r.OneIn(2) {
		sign = 1 << (f.bits() - 1)
	}
	if k.style == unit {
		return sign | uint64(f.bias()-1-r.Below(4))<<f.man | r.Next()>>(64-f.man)
	}
	n = max(n, -n)
	if n == 0 {
		return sign
	}
	exp := 0
	for n>>(exp+1) > 0 {
		exp++
	}
	return sign | uint64(f.bias()+exp)<<f.man | uint64(n-1<<exp)<<(f.man-exp)
}

// each packs a value for each lane of a kind.
func (k kind) each(r *golden.Dice, f func() uint64) uint64 {
	if k.lanes == 2 {
		return f()&0xffff | f()<<16
	}
	return f()
}

// any is a random value.
func (k kind) any(r *golden.Dice) uint64 {
	if k.float != nil {
		return k.each(r, func() uint64 { return k.float.any(r) })
	}
	return k.each(r, func() uint64 {
		switch v := r.Next(); r.Below(4) {
		case 0:
			return v >> (64 - 6) // a small one, as counts of bits are
		case 1:
			return v >> r.Below(64) // of any length
		case 2:
			return ^(v >> r.Below(64))
		default:
			return v
		}
	})
}

// any is a random number, most often one that is near 1.
func (f *format) any(r *golden.Dice) uint64 {
	v := r.Next() >> (64 - f.bits())
	if r.OneIn(4) {
		return v
	}
	near := []int{2, 8, f.man + 10}[r.Below(3)]
	exp := min(max(f.bias()+r.Below(2*near+1)-near, 0), 2*f.bias())
	man := v & (1<<f.man - 1)
	if r.OneIn(3) {
		man &^= 1<<r.Below(f.man+1) - 1 // few bits, as ties need them
	}
	return v>>(f.bits()-1)<<(f.bits()-1) | uint64(exp)<<f.man | man
}

// relate makes some random tuples of floating-point numbers such that rounding or cancelling happens.
func relate(r *golden.Dice, ks []kind, v []uint64) {
	for _, k := range ks {
		if k.style != anyNumber {
			return
		}
	}
	if len(v) < 2 || ks[0].lanes > 0 || ks[0].float == nil || ks[1].float != ks[0].float {
		return
	}
	f := ks[0].float
	exp := func(x uint64) int { return int(x >> f.man & (1<<f.exp - 1)) }
	scaled := func(like uint64, e int) uint64 {
		e += r.Below(2*f.man+8) - f.man - 4
		e = min(max(e, 0), 2*f.bias())
		return like&^((1<<f.exp-1)<<f.man) | uint64(e)<<f.man
	}
	switch r.Below(4) {
	case 0: // as large
		v[1] = scaled(f.any(r), exp(v[0]))
	case 1: // nearly the same, or the opposite
		v[1] = (v[0] + uint64(r.Below(5)) - 2) & (1<<f.bits() - 1)
		if r.OneIn(2) {
			v[1] ^= 1 << (f.bits() - 1)
		}
	}
	if len(v) < 3 || ks[2].float != f {
		return
	}
	switch r.Below(4) {
	case 0: // as large as the product
		v[2] = scaled(f.any(r), exp(v[0])+exp(v[1])-f.bias())
	case 1: // nearly its opposite
		switch f {
		case single:
			p := math.Float32frombits(uint32(v[0])) * math.Float32frombits(uint32(v[1]))
			v[2] = uint64(math.Float32bits(-p) + uint32(r.Below(3)) - 1)
		case double:
			p := math.Float64frombits(v[0]) * math.Float64frombits(v[1])
			v[2] = math.Float64bits(-p) + uint64(r.Below(3)) - 1
		}
	}
}
