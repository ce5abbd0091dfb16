package abi

// A Half is CUDA's __half, IEEE 754 binary16: 11 bits of precision, values up to
// 65504, the least 2^-24. The number is its bits, so a []Half can be copied to the
// device as it is. The zero value is 0.
type Half uint16

// HalfFromFloat32 rounds f to the nearest Half, ties to even. What is too large
// becomes infinity; a NaN becomes quiet and keeps its sign and the top of its payload.
func HalfFromFloat32(f float32) Half { return Half(half.round(widen32(f))) }

// HalfFromFloat64 rounds f to the nearest Half in one step, not by way of float32,
// which can round twice.
func HalfFromFloat64(f float64) Half { return Half(half.round(f)) }

// Float32 returns the value, exactly.
func (h Half) Float32() float32 { return narrow32(half.widen(uint16(h))) }

// Float64 returns the value, exactly.
func (h Half) Float64() float64 { return half.widen(uint16(h)) }

// A BFloat16 is CUDA's __nv_bfloat16: the upper half of a float32, with its range
// and 8 bits of precision. The number is its bits. The zero value is 0.
type BFloat16 uint16

// BFloat16FromFloat32 rounds f to the nearest BFloat16, ties to even. What is too
// large becomes infinity; a NaN becomes quiet and keeps its sign and the top of its payload.
func BFloat16FromFloat32(f float32) BFloat16 { return BFloat16(bf16.round(widen32(f))) }

// BFloat16FromFloat64 rounds f to the nearest BFloat16 in one step, not by way of
// float32, which can round twice.
func BFloat16FromFloat64(f float64) BFloat16 { return BFloat16(bf16.round(f)) }

// Float32 returns the value, exactly.
func (b BFloat16) Float32() float32 { return narrow32(bf16.widen(uint16(b))) }

// Float64 returns the value, exactly.
func (b BFloat16) Float64() float64 { return bf16.widen(uint16(b)) }
