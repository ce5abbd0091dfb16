//go:build !(linux && (amd64 || arm64))

package dl

import (
	"errors"
	"fmt"
)

// Redirect changes which functions the library calls. It is done on Linux alone.
func (l *Library) Redirect(...Redirect) error {
	return fmt.Errorf("dl: redirect calls of %s: %w", l.path, errors.ErrUnsupported)
}
