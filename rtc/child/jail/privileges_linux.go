//go:build amd64 || arm64

package jail

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"
)

const (
	prSetDumpable   = 4
	prSetNoNewPrivs = 38
)

func prctl(option, value uintptr) error {
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, option, value, 0, 0, 0, 0); e != 0 {
		return e
	}
	return nil
}

// giveUpPrivileges leaves the thread, and what it executes, without capabilities.
// Root's come back with a program, but not where no_new_privs forbids it.
func giveUpPrivileges() error {
	if err := prctl(prSetNoNewPrivs, 1); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	const version = 0x20080522
	header := struct {
		version uint32
		pid     int32
	}{version: version}
	var none [2]struct{ effective, permitted, inheritable uint32 }
	_, _, e := syscall.RawSyscall(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none)), 0)
	runtime.KeepAlive(&header)
	if e != 0 {
		return fmt.Errorf("capabilities: %w", e)
	}
	return nil
}
