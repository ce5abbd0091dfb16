package rtc

import (
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
)

// ErrNoDevice is matched by the error of Open on a machine without a CUDA
// driver or without a GPU.
var ErrNoDevice = errors.New("no CUDA device")

// absent makes err match ErrNoDevice if it means that there is none.
func absent(err error) error {
	var missing *dl.NotFoundError
	if errors.As(err, &missing) || errors.Is(err, driver.NoDevice) {
		return fmt.Errorf("%w: %w", ErrNoDevice, err)
	}
	return err
}
