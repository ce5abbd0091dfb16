// Package ptx reads and writes PTX, the assembly language that NVRTC compiles to: every directive and instruction becomes a
// typed node, with its line in the text.
//
// [Parse] makes a [Module] of a text. A module has its version, target and [Item]s: variables, functions, debugging data. A [Function] with
// Entry is a kernel; its [Param]s know their size, alignment and offset, which is what a launch must agree with. Its Body is a
// [Block] of [Statement]s, most of them [Instruction]s with typed [Operand]s. [Module.Print] writes the tree again.
//
// The package reads the language, not one compiler's habits: PTX of NVRTC 11 to 13 with -G, -lineinfo or inline asm, and what people write
// by hand, up to PTX 9.0 (CUDA 13.0); what newer versions add inside the known syntax is read as well. It does not read preprocessor lines (#line), constant banks (.const[2]) and the @@DWARF lines of PTX 1. Constant expressions
// are worked out. Texts may be hostile: the time is linear, memory bounded, and nothing in a text makes Parse panic.
//
// Trees are plain data that hold parts of the text they were read from. They are safe for concurrent use after they are made; their fields must
// not change. Where a field is optional, its zero value says that the text leaves it out. Numbers of bytes are plain ints and int64s.
//
// It was written against the PTX ISA manual and checked against ptxas: what Print writes assembles to the same code as the text
// that Parse read.
package ptx
