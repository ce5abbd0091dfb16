package rtc

import (
	"context"
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
)

var (
	// ErrNoDevice is matched by the error of Open on a machine without a CUDA
	// driver or without a GPU.
	ErrNoDevice = errors.New("no CUDA device")

	// ErrClosed is matched by the errors of calls on something that was closed.
	// It is driver.ErrClosed.
	ErrClosed = driver.ErrClosed

	// ErrInHostFunc is matched by the errors of calls that a host function of a
	// stream or graph made, and that would wait for what waits for it.
	ErrInHostFunc = errors.New("a host function can't wait for the device, nor use a graph: what it waits for waits for it")
)

// unmade is the error for the zero value of a type that this package makes.
func unmade(what string) error { return fmt.Errorf("the %s was not made by this package", what) }

// absent makes err match ErrNoDevice if it means that there is none.
func absent(err error) error {
	var missing *dl.NotFoundError
	if errors.As(err, &missing) || errors.Is(err, driver.NoDevice) {
		return fmt.Errorf("%w: %w", ErrNoDevice, err)
	}
	return err
}

// ended is the error of a wait whose context ended: it matches ctx.Err() and,
// where that is another, its cause.
func ended(ctx context.Context) error {
	err := ctx.Err()
	if cause := context.Cause(ctx); !errors.Is(cause, err) {
		return fmt.Errorf("%w: %w", err, cause)
	}
	return err
}

// gaveUp reports whether err comes from a context that ended.
func gaveUp(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// joined is errors.Join for what closing several things gave. That the GPU is
// lost is said once, not for each of them.
func joined(errs ...error) error {
	var some []error
	lost := false
	for _, err := range errs {
		if fatal(err) {
			if lost {
				continue
			}
			lost = true
		}
		some = append(some, err)
	}
	return errors.Join(some...)
}

func fatal(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.Fatal()
}

// unlessClosed is err, unless it says that something was closed already: whoever closes
// a part while another closes the whole has got what he wanted.
func unlessClosed(err error) error {
	if errors.Is(err, ErrClosed) {
		return nil
	}
	return err
}
