package number

// Single precision has more than twice the bits of f16 and two: rounding a sum first to
// it and then to f16 is rounding once. Products are exact there.

// AddF16 is add.rn.f16. Safe for concurrent use.
func AddF16(a, b uint16) uint16 { return F16FromF32(F32FromF16(a) + F32FromF16(b)) }

// SubF16 is sub.rn.f16. Safe for concurrent use.
func SubF16(a, b uint16) uint16 { return F16FromF32(F32FromF16(a) - F32FromF16(b)) }

// MulF16 is mul.rn.f16. Safe for concurrent use.
func MulF16(a, b uint16) uint16 { return F16FromF32(float32(F32FromF16(a) * F32FromF16(b))) }

// FMAF16 is fma.rn.f16, rounded once. Safe for concurrent use.
func FMAF16(a, b, c uint16) uint16 {
	return F16FromF32(oddSum32(float32(F32FromF16(a)*F32FromF16(b)), F32FromF16(c)))
}

// NegF16 is neg.f16. Safe for concurrent use.
func NegF16(a uint16) uint16 {
	if a&0x7fff > 0x7c00 {
		return nanF16
	}
	return a ^ 0x8000
}

// AbsF16 is abs.f16. Safe for concurrent use.
func AbsF16(a uint16) uint16 {
	if a&0x7fff > 0x7c00 {
		return nanF16
	}
	return a & 0x7fff
}

// MinF16 is min.f16: of a number and a NaN the number; -0 is less than +0.
// Safe for concurrent use.
func MinF16(a, b uint16) uint16 { return pick16(a, b, 0x7c00, true) }

// MaxF16 is max.f16. Safe for concurrent use.
func MaxF16(a, b uint16) uint16 { return pick16(a, b, 0x7c00, false) }

// MinNaNF16 is min.NaN.f16: a NaN among the operands gives the canonical NaN.
// Safe for concurrent use.
func MinNaNF16(a, b uint16) uint16 { return pickNaN16(a, b, 0x7c00, true) }

// MaxNaNF16 is max.NaN.f16. Safe for concurrent use.
func MaxNaNF16(a, b uint16) uint16 { return pickNaN16(a, b, 0x7c00, false) }
