//go:build linux && (amd64 || arm64)

package dl

import (
	"errors"
	"fmt"
	"reflect"
	"syscall"
	"unsafe"
)

// FilterThread puts a system call filter on the calling thread, for as long as
// that lives: call it in a function run by a Thread. It gives the thread
// no_new_privs as well, which the kernel asks for. Threads and processes that
// C code starts from the thread have the filter too; Go's don't, since Go
// makes no thread from one that is locked.
//
// Calls from Go's own code pass, wherever they are made: the filter looks at
// where a call comes from. With cgo, Go changes signal handlers through the C
// library, so that the two can't be told apart; FilterThread then refuses.
func FilterThread(f Filter) error {
	if err := filterThread(f); err != nil {
		return fmt.Errorf("dl: filter thread: %w", err)
	}
	return nil
}

func filterThread(f Filter) error {
	if withCgo {
		return errors.New("not in a program with cgo")
	}
	maps, err := readMaps()
	if err != nil {
		return err
	}
	program, err := f.program(maps.find(reflect.ValueOf(filterThread).Pointer()))
	if err != nil {
		return err
	}
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetNoNewPrivs, 1, 0, 0, 0, 0); e != 0 {
		return fmt.Errorf("no_new_privs: %w", e)
	}
	prog := &sockFprog{n: uint16(len(program)), filter: unsafe.SliceData(program)}
	// Without SPEC_ALLOW kernels before 5.16 slow the thread down to guard
	// against speculation; before 4.17 they do not know the flag.
	for _, flags := range []uintptr{secureComputingSpecAllow, 0} {
		_, _, e := syscall.RawSyscall(sysSeccomp, setModeFilter, flags, uintptr(unsafe.Pointer(prog)))
		if e == 0 {
			return nil
		}
		err = fmt.Errorf("seccomp: %w", e)
	}
	return err
}

const (
	prSetNoNewPrivs          = 38
	setModeFilter            = 1
	secureComputingSpecAllow = 4
)

type sockFprog struct {
	n      uint16
	filter *sockFilter
}
