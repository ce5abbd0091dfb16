package number

// A Float is the type of a .f32 or .f64 operand. Those of f16 and bf16 are converted
// to float32 first, which changes no comparison.
type Float interface{ float32 | float64 }

// The comparisons eq, lt, le, gt and ge are Go's own: false where an operand is a NaN.

// Ne is the comparison .ne: unequal, and neither is a NaN. Safe for concurrent use.
func Ne[T Float](a, b T) bool { return a < b || a > b }

// Equ is the comparison .equ: equal, or one is a NaN. Safe for concurrent use.
func Equ[T Float](a, b T) bool { return !(a < b || a > b) }

// Neu is the comparison .neu: unequal, or one is a NaN. Safe for concurrent use.
func Neu[T Float](a, b T) bool { return a != b }

// Ltu is the comparison .ltu: less, or one is a NaN. Safe for concurrent use.
func Ltu[T Float](a, b T) bool { return !(a >= b) }

// Leu is the comparison .leu: not greater, or one is a NaN. Safe for concurrent use.
func Leu[T Float](a, b T) bool { return !(a > b) }

// Gtu is the comparison .gtu: greater, or one is a NaN. Safe for concurrent use.
func Gtu[T Float](a, b T) bool { return !(a <= b) }

// Geu is the comparison .geu: not less, or one is a NaN. Safe for concurrent use.
func Geu[T Float](a, b T) bool { return !(a < b) }

// Num is the comparison .num: neither is a NaN. Safe for concurrent use.
func Num[T Float](a, b T) bool { return a == a && b == b }

// Nan is the comparison .nan: one is a NaN. Safe for concurrent use.
func Nan[T Float](a, b T) bool { return a != a || b != b }

// SetB32 is the result of set.u32 and set.s32. Safe for concurrent use.
func SetB32(p bool) uint32 {
	if p {
		return 0xffffffff
	}
	return 0
}

// SetB16 is the result of set.u16 and set.s16. Safe for concurrent use.
func SetB16(p bool) uint16 { return uint16(SetB32(p)) }

// SetF32 is the result of set.f32, as bits. Safe for concurrent use.
func SetF32(p bool) uint32 { return SetB32(p) & 0x3f800000 }

// SetF16 is the result of set.f16, as bits. Safe for concurrent use.
func SetF16(p bool) uint16 { return SetB16(p) & 0x3c00 }

// SetBF16 is the result of set.bf16, as bits. Safe for concurrent use.
func SetBF16(p bool) uint16 { return SetB16(p) & 0x3f80 }

// SlctS32 is slct with a .s32 selector: a where c is not negative, else b.
// Safe for concurrent use.
func SlctS32[T uint16 | uint32 | uint64](a, b T, c int32) T {
	if c >= 0 {
		return a
	}
	return b
}

// SlctF32 is slct with a .f32 selector: a where c is -0, +0 or more, else b, also for a
// NaN. Safe for concurrent use.
func SlctF32[T uint16 | uint32 | uint64](a, b T, c float32) T {
	if c >= 0 {
		return a
	}
	return b
}
