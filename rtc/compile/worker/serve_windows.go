//go:build amd64

package worker

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/child"
)

// run is the life of a worker. NVRTC compiles on a thread of its own here, since the
// stack of the main one can't grow.
func (s setup) run() error {
	requests, err := child.Inherited(0)
	if err != nil {
		return fmt.Errorf("this process is not started by a Pool: %w", err)
	}
	answers, err := child.Inherited(1)
	if err != nil {
		return fmt.Errorf("this process is not started by a Pool: %w", err)
	}
	if err := present(requests, answers); err != nil {
		return err
	}
	incoming := listen(requests)
	compiler, err := begin(nvrtc.Config{Path: s.library})
	if err != nil {
		return err
	}
	return respond(compiler, incoming, answers)
}

// selfPath is this program.
func selfPath() (string, error) { return os.Executable() }

// isBroken tells of a pipe whose other end is gone.
func isBroken(err error) bool {
	const closing = syscall.Errno(232) // ERROR_NO_DATA
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, closing)
}
