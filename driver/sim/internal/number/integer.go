package number

// A Signed is the type of a .s8 to .s64 operand.
type Signed interface {
	int8 | int16 | int32 | int64
}

// An Unsigned is the type of a .u8 to .u64 operand, or of a .b8 to .b64 one.
type Unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

// An Integer is either.
type Integer interface{ Signed | Unsigned }

// Div is div: the quotient rounded toward zero. A division by zero, for which the
// manual promises nothing, gives all ones; the least number by -1 gives itself.
// Safe for concurrent use.
func Div[T Integer](a, b T) T {
	if b == 0 {
		return ^T(0)
	}
	return a / b
}

// Rem is rem: the remainder with the sign of a. By zero it gives all ones.
// Safe for concurrent use.
func Rem[T Integer](a, b T) T {
	if b == 0 {
		return ^T(0)
	}
	return a % b
}

// Abs is abs of an integer. The least number gives itself. Safe for concurrent use.
func Abs[T Signed](a T) T {
	if a < 0 {
		return -a
	}
	return a
}

// Sad is sad: c + |a - b|. Safe for concurrent use.
func Sad[T Integer](a, b, c T) T {
	if a < b {
		return c + (b - a)
	}
	return c + (a - b)
}

// CNot is cnot: 1 for zero, else 0. Safe for concurrent use.
func CNot[T Unsigned](a T) T {
	if a == 0 {
		return 1
	}
	return 0
}

// Clamp limits x to lo..hi, as .sat does to an integer that is converted to a smaller
// type whose ends these are. Safe for concurrent use.
func Clamp[T Integer](x, lo, hi T) T { return max(lo, min(x, hi)) }

// Relu is .relu of an integer result: what is negative becomes 0. Safe for concurrent use.
func Relu[T Signed](x T) T { return max(x, 0) }

// Shl is shl: a shift by the width or more gives zero. Safe for concurrent use.
func Shl[T Unsigned](a T, n uint32) T { return a << n }

// Shr is shr: a shift by the width or more gives zero, or the sign for signed types.
// Safe for concurrent use.
func Shr[T Integer](a T, n uint32) T { return a >> n }

// AddSatS32 is add.sat.s32. Safe for concurrent use.
func AddSatS32(a, b int32) int32 { return clampS32(int64(a) + int64(b)) }

// SubSatS32 is sub.sat.s32. Safe for concurrent use.
func SubSatS32(a, b int32) int32 { return clampS32(int64(a) - int64(b)) }

func clampS32(x int64) int32 { return int32(Clamp(x, -1<<31, 1<<31-1)) }
