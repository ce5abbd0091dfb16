// Package number is the arithmetic of the simulated CUDA device: what one thread's
// PTX instruction does to its operands, exact to the bit where NVIDIA's hardware
// (sm_70 to sm_90) is exact.
//
// Every function is pure, allocates nothing and works on plain machine types: float32
// and float64 hold .f32 and .f64 with their NaN bits, uint16 holds .f16 and .bf16,
// uint32 holds the packed .f16x2 and .bf16x2, and integers hold integers.
package number
