package number

import "math"

// A .tf32 is a float32 with the last 13 bits of its significand zero. These three return
// register bits.

const nanTF32 = 0x7fffe000

// TF32FromF32RNA is cvt.rna.tf32.f32: to nearest, ties away from zero. A NaN loses its last
// bits, and one that has no others becomes an infinity. Safe for concurrent use.
func TF32FromF32RNA(x float32) uint32 {
	b := math.Float32bits(x)
	if b&0x7f800000 != 0x7f800000 {
		b += 0x1000
	}
	return b &^ 0x1fff
}

// TF32FromF32 is cvt.rn.tf32.f32. Safe for concurrent use.
func TF32FromF32(x float32) uint32 {
	if x != x {
		return nanTF32
	}
	b := math.Float32bits(x)
	return (b + 0x0fff + b>>13&1) &^ 0x1fff
}

// TF32FromF32RZ is cvt.rz.tf32.f32. Safe for concurrent use.
func TF32FromF32RZ(x float32) uint32 {
	if x != x {
		return nanTF32
	}
	return math.Float32bits(x) &^ 0x1fff
}

// FiniteTF32 is what .satfinite does to a tf32 result: an infinity becomes the largest
// finite value of its sign. Safe for concurrent use.
func FiniteTF32(b uint32) uint32 {
	if b&0x7fffffff == 0x7f800000 {
		return b&0x80000000 | 0x7f7fe000
	}
	return b
}

// ReluTF32 is what .relu does to the bits of a tf32 result: what is negative becomes +0,
// a NaN the canonical one. Safe for concurrent use.
func ReluTF32(b uint32) uint32 {
	switch {
	case b&0x7fffffff > 0x7f800000:
		return nanTF32
	case b>>31 != 0:
		return 0
	}
	return b
}
