package abi

// An E4M3 is CUDA's __nv_fp8_e4m3: 4 bits of exponent, 3 of mantissa, values up
// to 448, one NaN of each sign and no infinity. The number is its bits. Since CUDA 11.8.
type E4M3 uint8

// E4M3FromFloat32 rounds f to the nearest E4M3, ties to even. What is too large,
// infinity included, becomes NaN: CUDA's conversion without saturation.
func E4M3FromFloat32(f float32) E4M3 { return E4M3(e4m3.round(widen32(f))) }

// E4M3FromFloat64 rounds f to the nearest E4M3 in one step.
func E4M3FromFloat64(f float64) E4M3 { return E4M3(e4m3.round(f)) }

// Float32 returns the value, exactly.
func (e E4M3) Float32() float32 { return narrow32(e4m3.widen(uint16(e))) }

// Float64 returns the value, exactly.
func (e E4M3) Float64() float64 { return e4m3.widen(uint16(e)) }

// An E5M2 is CUDA's __nv_fp8_e5m2: 5 bits of exponent, 2 of mantissa, values up
// to 57344, with infinities and NaNs. The number is its bits. Since CUDA 11.8.
type E5M2 uint8

// E5M2FromFloat32 rounds f to the nearest E5M2, ties to even. What is too large
// becomes infinity: CUDA's conversion without saturation.
func E5M2FromFloat32(f float32) E5M2 { return E5M2(e5m2.round(widen32(f))) }

// E5M2FromFloat64 rounds f to the nearest E5M2 in one step.
func E5M2FromFloat64(f float64) E5M2 { return E5M2(e5m2.round(f)) }

// Float32 returns the value, exactly.
func (e E5M2) Float32() float32 { return narrow32(e5m2.widen(uint16(e))) }

// Float64 returns the value, exactly.
func (e E5M2) Float64() float64 { return e5m2.widen(uint16(e)) }
