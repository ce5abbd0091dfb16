package number_test

import (
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// A format is a binary floating-point format, for the reference.
type format struct {
	mantissa int // explicit bits of the significand
	bias     int
}

var (
	binary64 = format{52, 1023}
	binary32 = format{23, 127}
	binary16 = format{10, 15}
	brain16  = format{7, 127}
	tensor32 = format{10, 127}
	e5m2     = format{2, 15}
)

// An exact is the number (-1)^neg × m × 2^exp, and something more of the same sign,
// less than 2^exp, where sticky.
type exact struct {
	neg    bool
	m      *big.Int
	exp    int
	sticky bool
}

// exactly returns the finite v.
func exactly(v float64) exact {
	frac, exp := math.Frexp(math.Abs(v))
	return exact{math.Signbit(v), big.NewInt(int64(frac * (1 << 53))), exp - 53, false}
}

func (x exact) signed() *big.Int {
	if x.neg {
		return new(big.Int).Neg(x.m)
	}
	return new(big.Int).Set(x.m)
}

func (x exact) mul(y exact) exact {
	return exact{x.neg != y.neg, new(big.Int).Mul(x.m, y.m), x.exp + y.exp, false}
}

// add returns x + y. The zero it may return has the sign that mode gives it.
func (x exact) add(y exact, mode number.Rounding) exact {
	if x.m.Sign() == 0 && y.m.Sign() == 0 && x.neg == y.neg {
		return x
	}
	exp := min(x.exp, y.exp)
	a, b := x.signed(), y.signed()
	a.Lsh(a, uint(x.exp-exp))
	b.Lsh(b, uint(y.exp-exp))
	sum := a.Add(a, b)
	neg := sum.Sign() < 0
	if sum.Sign() == 0 {
		neg = mode == number.RM
	}
	return exact{neg, sum.Abs(sum), exp, false}
}

// div returns x ÷ y for a y that is not 0.
func (x exact) div(y exact) exact {
	const extra = 200
	rest := new(big.Int)
	q, rest := new(big.Int).QuoRem(new(big.Int).Lsh(x.m, extra), y.m, rest)
	return exact{x.neg != y.neg, q, x.exp - y.exp - extra, rest.Sign() != 0}
}

// sqrt returns the root of x, which is not negative.
func (x exact) sqrt() exact {
	shift := 200 + x.exp&1
	m := new(big.Int).Lsh(x.m, uint(shift))
	root := new(big.Int).Sqrt(m)
	return exact{false, root, (x.exp - shift) / 2, new(big.Int).Mul(root, root).Cmp(m) != 0}
}

// round returns the bits of x in the format f.
func (f format) round(x exact, mode number.Rounding) uint64 {
	var sign uint64
	top := f.expBits() + f.mantissa
	if x.neg {
		sign = 1 << top
	}
	if x.m.Sign() == 0 && !x.sticky {
		return sign
	}
	e := max(x.m.BitLen()-1+x.exp, 1-f.bias) // the exponent of the result
	unit := e - f.mantissa                   // of its last place
	q, rest, half := new(big.Int), new(big.Int), 0
	if unit <= x.exp {
		q.Lsh(x.m, uint(x.exp-unit))
		half = -1
	} else {
		drop := uint(unit - x.exp)
		q.Rsh(x.m, drop)
		rest.Sub(x.m, new(big.Int).Lsh(q, drop))
		half = rest.Cmp(new(big.Int).Lsh(big.NewInt(1), drop-1))
	}
	inexact := rest.Sign() != 0 || x.sticky
	up := false
	switch mode {
	case number.RN:
		up = half > 0 || half == 0 && (x.sticky || q.Bit(0) == 1)
	case number.RM:
		up = inexact && x.neg
	case number.RP:
		up = inexact && !x.neg
	}
	r := q.Uint64()
	if up {
		r++
	}
	r += uint64(e+f.bias-1) << f.mantissa
	inf := uint64(1<<f.expBits()-1) << f.mantissa
	if r >= inf {
		r = inf
		if mode == number.RZ || mode == number.RM && !x.neg || mode == number.RP && x.neg {
			r = inf - 1
		}
	}
	return sign | r
}

func (f format) expBits() int {
	n := 0
	for f.bias>>n != 0 {
		n++
	}
	return n + 1
}

// edges32 are the single-precision numbers that break things.
var edges32 = []uint32{
	0, 0x80000000, 1, 0x80000001, 2, 3, 0x007fffff, 0x807fffff, 0x00400000, 0x00800000, 0x80800000, 0x00800001,
	0x00ffffff, 0x01000000, 0x3f000000, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x3fffffff, 0x40000000,
	0x4b000000, 0x4b800000, 0x4b7fffff, 0x33800000, 0x34000000, 0x7e800000, 0x7f000000, 0x7f7ffffe, 0x7f7fffff,
	0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fffffff, 0xffc12345, 0x7f800001, 0xffffffff, 0x00000100,
	0x40490fdb, 0x0f800000, 0x70800000, 0x20000000, 0x1fffffff,
}

// edges64 are the double-precision ones.
var edges64 = []uint64{
	0, 1 << 63, 1, 1<<63 | 1, 2, 3, 0x000fffffffffffff, 0x0008000000000000, 0x0010000000000000, 0x8010000000000000,
	0x0010000000000001, 0x001fffffffffffff, 0x3fe0000000000000, 0x3fefffffffffffff, 0x3ff0000000000000,
	0xbff0000000000000, 0x3ff0000000000001, 0x3fffffffffffffff, 0x4000000000000000, 0x4330000000000000,
	0x4340000000000000, 0x433fffffffffffff, 0x3ca0000000000000, 0x3cb0000000000000, 0x7fd0000000000000,
	0x7fe0000000000000, 0x7feffffffffffffe, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000000,
	0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000001, 0xfff8000000abcdef,
	0x380fffffffffffff, 0x3810000000000000, 0x36a0000000000000, 0x3690000000000000, 0x3690000000000001,
	0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x1ff0000000000000, 0x2010000000000000,
}

// random32 draws bits: most often of a number whose exponent is near to others', with
// runs of ones and zeros that make ties.
func random32(r *rand.Rand) uint32 {
	switch r.IntN(8) {
	case 0:
		return edges32[r.IntN(len(edges32))]
	case 1:
		return r.Uint32()
	case 2: // few bits
		return r.Uint32()&0xbf800000 + 0x20000000 | 1<<r.IntN(23) | 1<<r.IntN(23)
	case 3: // many bits
		return r.Uint32()&0xbf800000 + 0x20000000 | 0x7fffff&^(1<<r.IntN(23))
	case 4: // subnormal or nearly
		return r.Uint32() & 0x81ffffff >> r.IntN(8) << r.IntN(4)
	}
	return r.Uint32()&0x80ffffff | uint32(112+r.IntN(30))<<23
}

// random64 is the same in double precision.
func random64(r *rand.Rand) uint64 {
	switch r.IntN(8) {
	case 0:
		return edges64[r.IntN(len(edges64))]
	case 1:
		return r.Uint64()
	case 2:
		return r.Uint64()&(1<<63) | uint64(990+r.IntN(66))<<52 | 1<<r.IntN(52) | 1<<r.IntN(52)
	case 3:
		return r.Uint64()&(1<<63) | uint64(990+r.IntN(66))<<52 | (1<<52-1)&^(1<<r.IntN(52))
	case 4: // very small
		return r.Uint64() & (1<<63 | 1<<57 - 1) >> r.IntN(8) << r.IntN(4)
	case 5: // whose squares are near the ends of the range
		return r.Uint64()&(1<<63|1<<52-1) | uint64(511-30+r.IntN(60)+1023*r.IntN(2))<<52
	}
	return r.Uint64()&(1<<63|1<<52-1) | uint64(1000+r.IntN(50))<<52
}

func finite(v ...float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
