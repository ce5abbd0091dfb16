//go:build linux && (amd64 || arm64)

package worker

import (
	"fmt"
	"syscall"
)

const (
	sysCloseRange     = 436 // everywhere
	closeRangeCLOEXEC = 4
)

// limitStack lowers how far the main stack may be let grow.
func limitStack(most int64) error {
	return change("the stack", syscall.RLIMIT_STACK, func(l *syscall.Rlimit) {
		l.Max = min(l.Max, uint64(most))
		l.Cur = min(l.Cur, l.Max)
	})
}

// raiseStack lets it grow that far. NVRTC would do that for each compile, but that
// is kept from it.
func raiseStack() error {
	return change("the stack", syscall.RLIMIT_STACK, func(l *syscall.Rlimit) {
		l.Cur = l.Max
	})
}

func change(what string, which int, how func(l *syscall.Rlimit)) error {
	var l syscall.Rlimit
	err := syscall.Getrlimit(which, &l)
	if err == nil {
		how(&l)
		err = syscall.Setrlimit(which, &l)
	}
	if err != nil {
		return fmt.Errorf("limit of %s: %w", what, err)
	}
	return nil
}
