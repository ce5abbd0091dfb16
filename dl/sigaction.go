package dl

import "syscall"

// A SignalAction is how the process handles a signal, as the kernel has it. It
// comes from ReadSignalAction.
//
// Safe for concurrent use after it is made; its fields must not change.
type SignalAction struct {
	Signal  syscall.Signal
	Handler uintptr // an address; 0: the default, 1: ignored
	Flags   uint64  // SA_…

	restorer uintptr
	mask     uint64
}
