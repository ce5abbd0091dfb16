//go:build !linux || !(amd64 || arm64)

package jail

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"
)

var errOther = fmt.Errorf("on %s/%s: %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)

func probe() Walls { return Walls{} }

func systemFiles() []string { return nil }

func landlock([]string) error { return errOther }

func (Filter) install() error { return errOther }

func namespaces(*syscall.SysProcAttr) error { return errOther }
