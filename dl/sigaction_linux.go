//go:build linux && (amd64 || arm64)

package dl

import (
	"fmt"
	"syscall"
	"unsafe"
)

// kernelAction is the kernel's struct sigaction, which is not the C library's.
type kernelAction struct {
	handler  uintptr
	flags    uint64
	restorer uintptr
	mask     uint64
}

// ReadSignalAction asks the kernel, past the C library and Go, how the process
// handles a signal.
func ReadSignalAction(s syscall.Signal) (SignalAction, error) {
	k := new(kernelAction)
	_, _, e := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), 0, uintptr(unsafe.Pointer(k)), unsafe.Sizeof(k.mask), 0, 0)
	if e != 0 {
		return SignalAction{}, fmt.Errorf("dl: read action of signal %d: %w", int(s), e)
	}
	return SignalAction{Signal: s, Handler: k.handler, Flags: k.flags, restorer: k.restorer, mask: k.mask}, nil
}

// Restore makes the process handle the signal as it did when a was read, all
// flags included, which no function of the C library does.
func (a SignalAction) Restore() error {
	k := &kernelAction{handler: a.Handler, flags: a.Flags, restorer: a.restorer, mask: a.mask}
	_, _, e := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(a.Signal), uintptr(unsafe.Pointer(k)), 0, unsafe.Sizeof(k.mask), 0, 0)
	if e != 0 {
		return fmt.Errorf("dl: restore action of signal %d: %w", int(a.Signal), e)
	}
	return nil
}
