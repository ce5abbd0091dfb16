package number

// AddBF16 is add.rn.bf16. Safe for concurrent use.
func AddBF16(a, b uint16) uint16 { return BF16FromF32(F32FromBF16(a) + F32FromBF16(b)) }

// SubBF16 is sub.rn.bf16. Safe for concurrent use.
func SubBF16(a, b uint16) uint16 { return BF16FromF32(F32FromBF16(a) - F32FromBF16(b)) }

// MulBF16 is mul.rn.bf16. Safe for concurrent use.
func MulBF16(a, b uint16) uint16 {
	// The 16 bits of the product fit into float32, unless it is less than half of the
	// least bf16.
	return BF16FromF32(float32(F32FromBF16(a) * F32FromBF16(b)))
}

// FMABF16 is fma.rn.bf16, rounded once. Safe for concurrent use.
func FMABF16(a, b, c uint16) uint16 {
	p := float64(F32FromBF16(a)) * float64(F32FromBF16(b))
	return uint16(formatBF16.round(oddSum(p, float64(F32FromBF16(c))), RN))
}

// NegBF16 is neg.bf16. Safe for concurrent use.
func NegBF16(a uint16) uint16 {
	if a&0x7fff > 0x7f80 {
		return nanBF16
	}
	return a ^ 0x8000
}

// AbsBF16 is abs.bf16. Safe for concurrent use.
func AbsBF16(a uint16) uint16 {
	if a&0x7fff > 0x7f80 {
		return nanBF16
	}
	return a & 0x7fff
}

// MinBF16 is min.bf16. Safe for concurrent use.
func MinBF16(a, b uint16) uint16 { return pick16(a, b, 0x7f80, true) }

// MaxBF16 is max.bf16. Safe for concurrent use.
func MaxBF16(a, b uint16) uint16 { return pick16(a, b, 0x7f80, false) }

// MinNaNBF16 is min.NaN.bf16. Safe for concurrent use.
func MinNaNBF16(a, b uint16) uint16 { return pickNaN16(a, b, 0x7f80, true) }

// MaxNaNBF16 is max.NaN.bf16. Safe for concurrent use.
func MaxNaNBF16(a, b uint16) uint16 { return pickNaN16(a, b, 0x7f80, false) }
