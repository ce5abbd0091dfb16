// Package abi says what a CUDA kernel expects and packs what it gets.
//
// A Signature comes from the text of a parameter list (ParseSignature) or from a
// compiled kernel's mangled name (FromMangled). Check holds it against the
// parameters that the compiled kernel really has, CheckMangled against the types in its name, and a Buffer converts Go values to
// the kernel's types, refusing whatever would not arrive as it was given, and holds
// them as cuLaunchKernel takes them.
//
// The package talks to no GPU and loads no library. It has the few number types
// that Go lacks: Half, BFloat16, E4M3 and E5M2, which round from float32 and from
// float64 in one step to the nearest value, ties to even.
//
// What a parameter takes is told at Buffer.Set, what a pointer takes at
// Type.Accepts.
package abi
