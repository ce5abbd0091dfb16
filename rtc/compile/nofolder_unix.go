//go:build unix

package compile

import (
	"errors"
	"syscall"
)

// isNoFolder is for a path whose folder is a file, and for names that are too
// long to be any.
func isNoFolder(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}
