package engine

import (
	"fmt"
	"strings"
)

// A FaultKind is what went wrong in a kernel.
type FaultKind int

// The kinds of faults.
const (
	IllegalAddress    FaultKind = iota + 1 // outside every allocation, or after its end
	MisalignedAddress                      // an address that is no multiple of the access's size
	InvalidPC                              // a call through a pointer to no function, a jump past a table
	Assert                                 // assert() was false
	Trap                                   // trap
	StackOverflow                          // calls deeper than local memory allows
	Deadlock                               // every thread waits: a barrier or a warp's partners that never come
	Endless                                // more steps than the budget, or ended from outside
	Uninitialised                          // a read of memory that nobody wrote
	Undefined                              // an instruction used as the manual does not allow: a lane that its own member mask leaves out
	Race                                   // two threads at the same bytes, one of them writing, and nothing orders them
)

// A Fault is what ended a launch.
//
// Safe for concurrent use after it is made; its fields must not change.
type Fault struct {
	Kind   FaultKind
	Kernel string
	Block  [3]uint32
	Thread [3]uint32
	Line   int    // in the PTX text
	Form   string // the instruction: "ld.global.f32"
	Source string // "k.cu:12:7" where the PTX has line information, else ""
	Detail string // what was wrong: "null pointer: 4 bytes at 0x0"

	// Inlined is where the code at Source was inlined, innermost first: "k.cu:30:2, k.cu:41:9"; "" where it was not.
	Inlined string
	// Called is where the function was called, innermost call first: "k.cu:30:2 (9 times), PTX line 12"; "" in the kernel itself.
	Called string
}

// Error describes the fault in one line: the kernel, what was wrong, and then where.
func (f *Fault) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s; ", f.Kernel, f.Detail)
	if f.Source != "" {
		b.WriteString(f.Source)
		if f.Inlined != "" {
			fmt.Fprintf(&b, " (inlined at %s)", f.Inlined)
		}
		b.WriteString(", ")
	}
	if f.Called != "" {
		fmt.Fprintf(&b, "called at %s, ", f.Called)
	}
	fmt.Fprintf(&b, "block (%d,%d,%d), thread (%d,%d,%d)", f.Block[0], f.Block[1], f.Block[2], f.Thread[0], f.Thread[1], f.Thread[2])
	if f.Line > 0 {
		fmt.Fprintf(&b, ", PTX line %d", f.Line)
	}
	if f.Form != "" {
		fmt.Fprintf(&b, " (%s)", f.Form)
	}
	return b.String()
}
