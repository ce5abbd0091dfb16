//go:build unix

package child

import (
	"fmt"
	"os"
	"syscall"
)

func inherited(index int) (*os.File, error) {
	fd := 3 + index
	// Before there is an os.File: that closes the number when it is collected.
	if err := syscall.Fstat(fd, new(syscall.Stat_t)); err != nil {
		return nil, fmt.Errorf("the parent gave none: %w", err)
	}
	return os.NewFile(uintptr(fd), fmt.Sprintf("inherited file %d", index)), nil
}
