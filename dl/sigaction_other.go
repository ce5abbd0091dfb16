//go:build !(linux && (amd64 || arm64))

package dl

import (
	"errors"
	"fmt"
	"syscall"
)

// ReadSignalAction asks the kernel how the process handles a signal. It is
// done on Linux alone.
func ReadSignalAction(s syscall.Signal) (SignalAction, error) {
	return SignalAction{}, fmt.Errorf("dl: read action of signal %d: %w", int(s), errors.ErrUnsupported)
}

// Restore makes the process handle the signal as it did when a was read.
func (a SignalAction) Restore() error {
	return fmt.Errorf("dl: restore action of signal %d: %w", int(a.Signal), errors.ErrUnsupported)
}
