// Package nvrtc is NVIDIA's run-time compiler, NVRTC, from Go without cgo: CUDA
// C++ in, PTX or SASS out. It offers all of NVRTC 7.0 to 13.3 and adds no
// policy: options reach NVRTC as they are given.
//
//	compiler, err := nvrtc.Open(nvrtc.Config{})
//	program, err := compiler.NewProgram(source, nvrtc.ProgramConfig{Name: "k.cu"})
//	defer program.Close()
//	err = program.Compile(ctx, "--gpu-architecture=compute_70", "--std=c++17")
//	ptx, err := program.PTX()
//
// NVRTC needs no GPU. Every function of it is looked up when it is first
// called, so that any version serves; what a version lacks gives an
// *UnsupportedError that says which CUDA has it and which is here
// (Compiler.Features tells beforehand, FUNCTIONS.md lists all).
//
// A source that NVRTC refuses gives a *CompileError, with the log, its
// messages taken apart, and hints at what people mostly did wrong. Options can
// be read (ParseOptions), put in one canonical form, written (Options), and held
// against a list of those that do no harm (SafeOptions).
//
// # In the process
//
// Compiles run on threads of their own with large stacks, as NVRTC recurses
// into nested source and would otherwise end the process. NVRTC also takes
// SIGINT and SIGTERM for itself while it compiles for the first time, which
// this package keeps from it as far as the platform lets it. What is left: a
// source or an option can read files and use memory and time without bound, and
// a crash in NVRTC can't be recovered. Compile what you don't trust in a child
// process.
package nvrtc
