package engine

import (
	"math"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// What atom and red make of the old value and their one or two operands. See the PTX ISA manual, "Parallel Synchronization and
// Communication Instructions: atom".

// atomOps32 are those on words of up to 32 bits.
var atomOps32 = map[string]func(old, x, y uint32) uint32{
	"add.u32": func(old, x, y uint32) uint32 { return old + x },
	"add.s32": func(old, x, y uint32) uint32 { return old + x },
	"min.u32": func(old, x, y uint32) uint32 { return min(old, x) },
	"min.s32": func(old, x, y uint32) uint32 { return uint32(min(int32(old), int32(x))) },
	"max.u32": func(old, x, y uint32) uint32 { return max(old, x) },
	"max.s32": func(old, x, y uint32) uint32 { return uint32(max(int32(old), int32(x))) },
	"inc.u32": func(old, x, y uint32) uint32 { return pick(old >= x, 0, old+1) },
	"dec.u32": func(old, x, y uint32) uint32 { return pick(old == 0 || old > x, x, old-1) },
	"and.b32": func(old, x, y uint32) uint32 { return old & x },
	"or.b32":  func(old, x, y uint32) uint32 { return old | x },
	"xor.b32": func(old, x, y uint32) uint32 { return old ^ x },

	"exch.b32": func(old, x, y uint32) uint32 { return x },
	"cas.b32":  func(old, x, y uint32) uint32 { return pick(old == x, y, old) },
	"cas.b16":  func(old, x, y uint32) uint32 { return pick(old == x, y, old) },

	"add.f32": func(old, x, y uint32) uint32 {
		return math.Float32bits(number.AddF32(math.Float32frombits(old), math.Float32frombits(x)))
	},
	"add.noftz.f16":    half(number.AddF16),
	"min.noftz.f16":    half(number.MinF16),
	"max.noftz.f16":    half(number.MaxF16),
	"add.noftz.bf16":   half(number.AddBF16),
	"min.noftz.bf16":   half(number.MinBF16),
	"max.noftz.bf16":   half(number.MaxBF16),
	"add.noftz.f16x2":  func(old, x, y uint32) uint32 { return number.AddF16x2(old, x) },
	"min.noftz.f16x2":  func(old, x, y uint32) uint32 { return number.MinF16x2(old, x) },
	"max.noftz.f16x2":  func(old, x, y uint32) uint32 { return number.MaxF16x2(old, x) },
	"add.noftz.bf16x2": func(old, x, y uint32) uint32 { return number.AddBF16x2(old, x) },
	"min.noftz.bf16x2": func(old, x, y uint32) uint32 { return number.MinBF16x2(old, x) },
	"max.noftz.bf16x2": func(old, x, y uint32) uint32 { return number.MaxBF16x2(old, x) },
}

func half(f func(a, b uint16) uint16) func(old, x, y uint32) uint32 {
	return func(old, x, y uint32) uint32 { return uint32(f(uint16(old), uint16(x))) }
}

// addFlushed is add.f32 in global memory, where subnormal numbers count as zero and become it, as the manual says.
func addFlushed(old, x, y uint32) uint32 {
	a, b := number.FTZ32(math.Float32frombits(old)), number.FTZ32(math.Float32frombits(x))
	return math.Float32bits(number.FTZ32(number.AddF32(a, b)))
}

// atomOps64 are those on words of 64 bits.
var atomOps64 = map[string]func(old, x, y uint64) uint64{
	"add.u64": func(old, x, y uint64) uint64 { return old + x },
	"add.s64": func(old, x, y uint64) uint64 { return old + x },
	"min.u64": func(old, x, y uint64) uint64 { return min(old, x) },
	"min.s64": func(old, x, y uint64) uint64 { return uint64(min(int64(old), int64(x))) },
	"max.u64": func(old, x, y uint64) uint64 { return max(old, x) },
	"max.s64": func(old, x, y uint64) uint64 { return uint64(max(int64(old), int64(x))) },
	"and.b64": func(old, x, y uint64) uint64 { return old & x },
	"or.b64":  func(old, x, y uint64) uint64 { return old | x },
	"xor.b64": func(old, x, y uint64) uint64 { return old ^ x },

	"exch.b64": func(old, x, y uint64) uint64 { return x },
	"cas.b64":  func(old, x, y uint64) uint64 { return pick(old == x, y, old) },

	"add.f64": func(old, x, y uint64) uint64 {
		return math.Float64bits(number.AddF64(math.Float64frombits(old), math.Float64frombits(x)))
	},
}
