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

func (*Process) boundMemory(int64) error { return errors.ErrUnsupported }

func (*Process) usage() (cpu time.Duration, resident int64) { return 0, 0 }
