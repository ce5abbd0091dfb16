//go:build linux && (amd64 || arm64)

package worker

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"
)

const (
	sysCloseRange     = 436 // everywhere
	closeRangeCLOEXEC = 4
)

// limitStack lowers how far the main stack may be let grow.
func limitStack(most int64) error {
	return change("the stack", syscall.RLIMIT_STACK, func(l *syscall.Rlimit) error {
		l.Max = min(l.Max, uint64(most))
		l.Cur = min(l.Cur, l.Max)
		return nil
	})
}

// raiseStack lets it grow that far. NVRTC would do that for each compile, but that
// is kept from it.
func raiseStack() error {
	return change("the stack", syscall.RLIMIT_STACK, func(l *syscall.Rlimit) error {
		l.Cur = l.Max
		return nil
	})
}

// limitMemory has this process get no more than most bytes beyond what it has.
func limitMemory(most int64) error {
	return change("memory", syscall.RLIMIT_DATA, func(l *syscall.Rlimit) error {
		has, err := dataSize()
		if err != nil {
			return err
		}
		l.Max = min(l.Max, uint64(has+most))
		l.Cur = l.Max
		return nil
	})
}

func change(what string, which int, how func(l *syscall.Rlimit) error) error {
	var l syscall.Rlimit
	err := syscall.Getrlimit(which, &l)
	if err == nil {
		err = how(&l)
	}
	if err == nil {
		err = syscall.Setrlimit(which, &l)
	}
	if err != nil {
		return fmt.Errorf("limit of %s: %w", what, err)
	}
	return nil
}

// dataSize is how much memory this process has asked for, as RLIMIT_DATA counts it.
func dataSize() (int64, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var kib int64
		if n, _ := fmt.Sscanf(lines.Text(), "VmData: %d kB", &kib); n == 1 {
			return kib << 10, nil
		}
	}
	return 0, errors.New("/proc/self/status has no VmData")
}
