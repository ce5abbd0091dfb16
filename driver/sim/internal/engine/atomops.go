package engine

import (
	"math"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// What atom and red make of the old value and their one or two operands. See the PTX ISA manual, "Parallel Synchronization and
// Communication Instructions: atom".

// atomOp32 is the one of that name on words of up to 32 bits, nil if there is none.
func atomOp32(name string) func(old, x, y uint32) uint32 {
	switch name {
	case "add.u32":
		return func(old, x, y uint32) uint32 { return old + x }
	case "add.s32":
		return func(old, x, y uint32) uint32 { return old + x }
	case "min.u32":
		return func(old, x, y uint32) uint32 { return min(old, x) }
	case "min.s32":
		return func(old, x, y uint32) uint32 { return uint32(min(int32(old), int32(x))) }
	case "max.u32":
		return func(old, x, y uint32) uint32 { return max(old, x) }
	case "max.s32":
		return func(old, x, y uint32) uint32 { return uint32(max(int32(old), int32(x))) }
	case "inc.u32":
		return func(old, x, y uint32) uint32 { return pick(old >= x, 0, old+1) }
	case "dec.u32":
		return func(old, x, y uint32) uint32 { return pick(old == 0 || old > x, x, old-1) }
	case "and.b32":
		return func(old, x, y uint32) uint32 { return old & x }
	case "or.b32":
		return func(old, x, y uint32) uint32 { return old | x }
	case "xor.b32":
		return func(old, x, y uint32) uint32 { return old ^ x }
	case "exch.b32":
		return func(old, x, y uint32) uint32 { return x }
	case "cas.b32":
		return func(old, x, y uint32) uint32 { return pick(old == x, y, old) }
	case "cas.b16":
		return func(old, x, y uint32) uint32 { return pick(old == x, y, old) }
	case "add.f32":
		return func(old, x, y uint32) uint32 {
			return math.Float32bits(number.AddF32(math.Float32frombits(old), math.Float32frombits(x)))
		}
	case "add.noftz.f16":
		return half(number.AddF16)
	case "min.noftz.f16":
		return half(number.MinF16)
	case "max.noftz.f16":
		return half(number.MaxF16)
	case "add.noftz.bf16":
		return half(number.AddBF16)
	case "min.noftz.bf16":
		return half(number.MinBF16)
	case "max.noftz.bf16":
		return half(number.MaxBF16)
	case "add.noftz.f16x2":
		return func(old, x, y uint32) uint32 { return number.AddF16x2(old, x) }
	case "min.noftz.f16x2":
		return func(old, x, y uint32) uint32 { return number.MinF16x2(old, x) }
	case "max.noftz.f16x2":
		return func(old, x, y uint32) uint32 { return number.MaxF16x2(old, x) }
	case "add.noftz.bf16x2":
		return func(old, x, y uint32) uint32 { return number.AddBF16x2(old, x) }
	case "min.noftz.bf16x2":
		return func(old, x, y uint32) uint32 { return number.MinBF16x2(old, x) }
	case "max.noftz.bf16x2":
		return func(old, x, y uint32) uint32 { return number.MaxBF16x2(old, x) }
	}
	return nil
}

func half(f func(a, b uint16) uint16) func(old, x, y uint32) uint32 {
	return func(old, x, y uint32) uint32 { return uint32(f(uint16(old), uint16(x))) }
}

// addFlushed is add.f32 in global memory, where subnormal numbers count as zero and become it, as the manual says.
func addFlushed(old, x, y uint32) uint32 {
	a, b := number.FTZ32(math.Float32frombits(old)), number.FTZ32(math.Float32frombits(x))
	return math.Float32bits(number.FTZ32(number.AddF32(a, b)))
}

// atomOp64 is that on words of 64 bits.
func atomOp64(name string) func(old, x, y uint64) uint64 {
	switch name {
	case "add.u64":
		return func(old, x, y uint64) uint64 { return old + x }
	case "add.s64":
		return func(old, x, y uint64) uint64 { return old + x }
	case "min.u64":
		return func(old, x, y uint64) uint64 { return min(old, x) }
	case "min.s64":
		return func(old, x, y uint64) uint64 { return uint64(min(int64(old), int64(x))) }
	case "max.u64":
		return func(old, x, y uint64) uint64 { return max(old, x) }
	case "max.s64":
		return func(old, x, y uint64) uint64 { return uint64(max(int64(old), int64(x))) }
	case "and.b64":
		return func(old, x, y uint64) uint64 { return old & x }
	case "or.b64":
		return func(old, x, y uint64) uint64 { return old | x }
	case "xor.b64":
		return func(old, x, y uint64) uint64 { return old ^ x }
	case "exch.b64":
		return func(old, x, y uint64) uint64 { return x }
	case "cas.b64":
		return func(old, x, y uint64) uint64 { return pick(old == x, y, old) }
	case "add.f64":
		return func(old, x, y uint64) uint64 {
			return math.Float64bits(number.AtomAddF64(math.Float64frombits(old), math.Float64frombits(x)))
		}
	}
	return nil
}

// addShared is add.f64 in shared memory: an addition by the thread, to whose operand the old value is added.
func addShared(old, x, y uint64) uint64 {
	return math.Float64bits(number.AddF64(math.Float64frombits(x), math.Float64frombits(old)))
}
