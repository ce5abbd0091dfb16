//go:build linux && (amd64 || arm64)

package child

import (
	"fmt"
	"syscall"
	"time"
	"unsafe"
)

// rlimit is struct rlimit64.
type rlimit struct{ soft, hard uint64 }

// apply puts the limits on a process that has been started.
func (l Limits) apply(pid int) error {
	for _, x := range []struct {
		name  string
		which int
		value int64
		set   bool
	}{
		{"memory", syscall.RLIMIT_DATA, l.Memory, l.Memory > 0},
		{"CPU time", syscall.RLIMIT_CPU, int64((l.CPU + time.Second - 1) / time.Second), l.CPU > 0},
		{"open files", syscall.RLIMIT_NOFILE, int64(l.OpenFiles), l.OpenFiles > 0},
		{"size of files", syscall.RLIMIT_FSIZE, 0, l.NoWriting},
		{"core dumps", syscall.RLIMIT_CORE, 0, true},
	} {
		if !x.set {
			continue
		}
		if err := limit(pid, x.which, uint64(x.value)); err != nil {
			return fmt.Errorf("limit of %s: %w", x.name, err)
		}
	}
	return nil
}

// boundMemory is BoundMemory of a child that is there. p.mu is held.
func (p *Process) boundMemory(more int64) error {
	has, err := p.dataSize()
	if err != nil {
		return err
	}
	return limit(p.process.Pid, syscall.RLIMIT_DATA, uint64(has)+uint64(more))
}

// limit lowers a limit to value.
func limit(pid, which int, value uint64) error {
	old := &rlimit{}
	if err := prlimit(pid, which, nil, old); err != nil {
		return err
	}
	now := &rlimit{soft: min(value, old.hard), hard: min(value, old.hard)}
	return prlimit(pid, which, now, nil)
}

// prlimit sets and gets a limit; nil is neither. The pointers are made numbers in
// the call itself, as package unsafe asks for.
func prlimit(pid, which int, set, old *rlimit) error {
	_, _, e := syscall.RawSyscall6(sysPrlimit64, uintptr(pid), uintptr(which), uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(old)), 0, 0)
	if e != 0 {
		return e
	}
	return nil
}
