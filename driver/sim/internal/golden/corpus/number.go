package corpus

import (
	"encoding/binary"
	"math"
)

// A Type is the type of a buffer's numbers.
type Type string

// The types.
const (
	I8   Type = "i8"
	I16  Type = "i16"
	I32  Type = "i32"
	I64  Type = "i64"
	F16  Type = "f16"
	BF16 Type = "bf16"
	F32  Type = "f32"
	F64  Type = "f64"
)

// Size is the bytes of a number.
func (t Type) Size() int {
	return map[Type]int{I8: 1, I16: 2, F16: 2, BF16: 2, I32: 4, F32: 4, I64: 8, F64: 8}[t]
}

// Float reports whether it is a floating-point type.
func (t Type) Float() bool { return t == F16 || t == BF16 || t == F32 || t == F64 }

// bytes is a number; one that is no whole number must be of a floating-point type.
func (t Type) bytes(v float64) []byte {
	var b [8]byte
	switch t {
	case F64:
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
	case F32:
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(float32(v)))
	case BF16:
		binary.LittleEndian.PutUint16(b[:], uint16(math.Float32bits(float32(v))>>16))
	case F16:
		binary.LittleEndian.PutUint16(b[:], halfBits(v))
	default:
		binary.LittleEndian.PutUint64(b[:], uint64(int64(v)))
	}
	return b[:t.Size()]
}

// halfBits is a number between 2^-14 and 2^15, or 0, cut to half precision.
func halfBits(v float64) uint16 {
	sign := uint16(0)
	if math.Signbit(v) {
		sign = 0x8000
	}
	if v == 0 {
		return sign
	}
	frac, exp := math.Frexp(math.Abs(v))
	return sign | uint16(exp+14)<<10 | uint16(frac*2048)&0x3ff
}

// value is the number at b.
func (t Type) value(b []byte) float64 {
	switch t {
	case F64:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	case F32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case BF16:
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
	case F16:
		h := binary.LittleEndian.Uint16(b)
		exp, man := int(h>>10&31), float64(h&0x3ff)
		v := math.Ldexp(man+1024, exp-25)
		switch {
		case exp == 31 && man != 0:
			return math.NaN()
		case exp == 31:
			v = math.Inf(1)
		case exp == 0:
			v = math.Ldexp(man, -24)
		}
		if h>>15 != 0 {
			v = -v
		}
		return v
	}
	var v uint64
	for i := t.Size() - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	return float64(v)
}
