//go:build amd64 || arm64

package jail

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

func (f Filter) install() error {
	runtime.LockOSThread() // no_new_privs is this thread's
	defer runtime.UnlockOSThread()
	if err := prctl(prSetDumpable, 0); err != nil {
		return fmt.Errorf("keep others out: %w", err)
	}
	if err := prctl(prSetNoNewPrivs, 1); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	code := f.program(os.Getpid())
	program := struct {
		n    uint16
		code *instruction
	}{uint16(len(code)), unsafe.SliceData(code)}
	const setModeFilter, allThreads = 1, 1 // SECCOMP_FILTER_FLAG_TSYNC
	thread, _, e := syscall.RawSyscall(sysSeccomp, setModeFilter, allThreads, uintptr(unsafe.Pointer(&program)))
	switch {
	case e == syscall.ENOSYS || e == syscall.EINVAL: // a program that isn't well formed would be a fault of the tests' too
		return fmt.Errorf("this kernel has none: %w", errors.Join(e, errors.ErrUnsupported))
	case e != 0:
		return e
	case thread != 0:
		return fmt.Errorf("thread %d has a filter of its own", thread)
	}
	return nil
}

// hasSeccomp asks for what a filter here does.
func hasSeccomp() bool {
	const getActionAvail = 2
	action := uint32(killProcess)
	_, _, e := syscall.RawSyscall(sysSeccomp, getActionAvail, 0, uintptr(unsafe.Pointer(&action)))
	return e == 0
}
