//go:build !windows && !(linux && (amd64 || arm64))

package child

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

func start(Config) (*Process, error) {
	return nil, fmt.Errorf("on %s/%s: %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)
}

type group struct{}

func (group) kill() {}

// BoundMemory has the child get no more than more bytes of memory beyond what it
// has now: a request for more fails. It can be lowered again, and not raised. It is
// for Linux and Windows; elsewhere the error matches errors.ErrUnsupported.
func (p *Process) BoundMemory(more int64) error { return errors.ErrUnsupported }

// Usage is the processor time that the child has used so far and the memory that
// it has now, in bytes. Both are 0 once it has ended.
func (p *Process) Usage() (cpu time.Duration, resident int64) { return 0, 0 }
