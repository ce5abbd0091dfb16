package dl

import "syscall"

// A Filter says what C code on a thread shall no longer change, and believe
// that it did. The zero Filter lets everything pass.
//
// Safe for concurrent use after it is made; its fields must not change.
type Filter struct {
	Signals []syscall.Signal // how the process handles them
	Limits  []int            // resource limits of the process: RLIMIT_STACK is 3
}
