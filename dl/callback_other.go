//go:build !((darwin || freebsd || linux || netbsd || windows) && (amd64 || arm64))

package dl

import (
	"errors"
	"fmt"
)

func cCallback(int, func([]uintptr) uintptr) (uintptr, error) {
	return 0, fmt.Errorf("dl: callback: C can't call Go on this platform: %w", errors.ErrUnsupported)
}
