package number

// Pack16 is mov.b32 d, {lo, hi}: lo goes to the lower half. Safe for concurrent use.
func Pack16(lo, hi uint16) uint32 { return uint32(hi)<<16 | uint32(lo) }

// The functions of .f16x2 and .bf16x2 work on both halves of a register. An operation
// that has none here is x2 of that for one lane.

// Lanes1 applies an operation with one operand to both halves. Safe for concurrent use.
func Lanes1(a uint32, f func(a uint16) uint16) uint32 {
	return Pack16(f(uint16(a)), f(uint16(a>>16)))
}

// Lanes2 applies an operation with two operands to both halves. Safe for concurrent use.
func Lanes2(a, b uint32, f func(a, b uint16) uint16) uint32 {
	return Pack16(f(uint16(a), uint16(b)), f(uint16(a>>16), uint16(b>>16)))
}

// Lanes3 applies an operation with three operands to both halves. Safe for concurrent use.
func Lanes3(a, b, c uint32, f func(a, b, c uint16) uint16) uint32 {
	return Pack16(f(uint16(a), uint16(b), uint16(c)), f(uint16(a>>16), uint16(b>>16), uint16(c>>16)))
}

// AddF16x2 is add.rn.f16x2. Safe for concurrent use.
func AddF16x2(a, b uint32) uint32 { return Lanes2(a, b, AddF16) }

// SubF16x2 is sub.rn.f16x2. Safe for concurrent use.
func SubF16x2(a, b uint32) uint32 { return Lanes2(a, b, SubF16) }

// MulF16x2 is mul.rn.f16x2. Safe for concurrent use.
func MulF16x2(a, b uint32) uint32 { return Lanes2(a, b, MulF16) }

// FMAF16x2 is fma.rn.f16x2. Safe for concurrent use.
func FMAF16x2(a, b, c uint32) uint32 { return Lanes3(a, b, c, FMAF16) }

// NegF16x2 is neg.f16x2. Safe for concurrent use.
func NegF16x2(a uint32) uint32 { return Lanes1(a, NegF16) }

// AbsF16x2 is abs.f16x2. Safe for concurrent use.
func AbsF16x2(a uint32) uint32 { return Lanes1(a, AbsF16) }

// MinF16x2 is min.f16x2. Safe for concurrent use.
func MinF16x2(a, b uint32) uint32 { return Lanes2(a, b, MinF16) }

// MaxF16x2 is max.f16x2. Safe for concurrent use.
func MaxF16x2(a, b uint32) uint32 { return Lanes2(a, b, MaxF16) }

// AddBF16x2 is add.rn.bf16x2. Safe for concurrent use.
func AddBF16x2(a, b uint32) uint32 { return Lanes2(a, b, AddBF16) }

// SubBF16x2 is sub.rn.bf16x2. Safe for concurrent use.
func SubBF16x2(a, b uint32) uint32 { return Lanes2(a, b, SubBF16) }

// MulBF16x2 is mul.rn.bf16x2. Safe for concurrent use.
func MulBF16x2(a, b uint32) uint32 { return Lanes2(a, b, MulBF16) }

// FMABF16x2 is fma.rn.bf16x2. Safe for concurrent use.
func FMABF16x2(a, b, c uint32) uint32 { return Lanes3(a, b, c, FMABF16) }

// NegBF16x2 is neg.bf16x2. Safe for concurrent use.
func NegBF16x2(a uint32) uint32 { return Lanes1(a, NegBF16) }

// AbsBF16x2 is abs.bf16x2. Safe for concurrent use.
func AbsBF16x2(a uint32) uint32 { return Lanes1(a, AbsBF16) }

// MinBF16x2 is min.bf16x2. Safe for concurrent use.
func MinBF16x2(a, b uint32) uint32 { return Lanes2(a, b, MinBF16) }

// MaxBF16x2 is max.bf16x2. Safe for concurrent use.
func MaxBF16x2(a, b uint32) uint32 { return Lanes2(a, b, MaxBF16) }

// FTZ16x2 is FTZ16 for both halves. Safe for concurrent use.
func FTZ16x2(a uint32) uint32 { return Lanes1(a, FTZ16) }

// SatF16x2 is SatF16 for both halves. Safe for concurrent use.
func SatF16x2(a uint32) uint32 { return Lanes1(a, SatF16) }

// ReluF16x2 is ReluF16 for both halves. Safe for concurrent use.
func ReluF16x2(a uint32) uint32 { return Lanes1(a, ReluF16) }

// ReluBF16x2 is ReluBF16 for both halves. Safe for concurrent use.
func ReluBF16x2(a uint32) uint32 { return Lanes1(a, ReluBF16) }
