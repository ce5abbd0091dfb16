package compile

import (
	"context"
	"errors"
	"fmt"
)

var (
	// ErrQueueFull is matched by the error of Submit when as many requests wait
	// as may, and the Service is to refuse more.
	ErrQueueFull = errors.New("the queue is full")
	// ErrTimeout is matched by the error of a compile that ran for too long. It
	// is no context's: who waited may well go on.
	ErrTimeout = errors.New("it ran for too long")
	// ErrClosed is matched by the errors of a Service that was closed, and of
	// jobs that it did not finish.
	ErrClosed = errors.New("the service is closed")
	// ErrNotDone is matched by the error of Result before the job is done.
	ErrNotDone = errors.New("the job is not done")

	errUnmade    = errors.New("the service was not made by NewService")
	errNoRequest = errors.New("there is no request, or it has no Compiler")
	errUnmadeJob = errors.New("the job was not made by Submit")
)

// ended is the error of something whose context ended: it matches ctx.Err() and,
// where that is another, its cause.
func ended(ctx context.Context) error {
	err := ctx.Err()
	if cause := context.Cause(ctx); !errors.Is(cause, err) {
		return fmt.Errorf("%w: %w", err, cause)
	}
	return err
}
