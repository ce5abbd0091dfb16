//go:build !(linux && (amd64 || arm64))

package dl

import (
	"errors"
	"fmt"
)

// FilterThread puts a filter on the calling thread. It is done on Linux alone.
func FilterThread(Filter) error {
	return fmt.Errorf("dl: filter thread: %w", errors.ErrUnsupported)
}
