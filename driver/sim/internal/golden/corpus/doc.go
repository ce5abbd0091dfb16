// Package corpus runs the kernels that NVRTCs compiled, the PTX of abi/ptx/testdata, on inputs that are always the same.
//
// [Programs] says for each kernel how it is launched and with what. A [Set] is what one NVRTC made with one set of options. What a GPU gave is
// in testdata: bit for bit for pinned text, in which every addition and multiplication of floating-point numbers is told to round, so that
// ptxas, as with --fmad=false, makes no fma of two of them; within a bound for the text as NVRTC wrote it, and where an
// instruction is an approximation.
package corpus
