//go:build !unix && !windows

package child

import (
	"errors"
	"os"
)

func inherited(int) (*os.File, error) { return nil, errors.ErrUnsupported }
