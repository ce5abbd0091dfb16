package compile

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/purecuda/purecuda/rtc/cache"
)

// A PanicError is the error of a job whose Runner panicked: other jobs go on.
//
// Safe for concurrent use after it is made; its fields must not change.
type PanicError struct {
	Value any    // of the panic; nil if the goroutine was ended, as by runtime.Goexit
	Stack []byte // where, as runtime/debug.Stack has it
}

// Error has the value, and not the stack.
func (e *PanicError) Error() string {
	if e.Value == nil {
		return "the Runner ended its goroutine, as runtime.Goexit does"
	}
	return fmt.Sprintf("the Runner panicked: %v", e.Value)
}

// Unwrap is the value, if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

var (
	errNothing = errors.New("the Runner gave neither an entry nor an error")
	errNoImage = errors.New("the Runner gave an entry without an image")
)

// ask has the Runner compile, in a goroutine of its own, which it may end: what the
// compile holds is given back whatever it does.
func (s *Service) ask(ctx context.Context, r *Request) (e *cache.Entry, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		returned := false
		defer func() {
			if !returned {
				err = &PanicError{recover(), debug.Stack()}
			}
		}()
		e, err = s.config.Runner.Run(ctx, r)
		returned = true
	}()
	<-done
	var broken *PanicError
	switch {
	case err == nil && e == nil:
		err = errNothing
	case err == nil && len(e.Image) == 0:
		err = errNoImage
	case err == nil || !errors.As(err, &broken):
		return e, err
	}
	return nil, fmt.Errorf("compile: %s: %w", r.label(), err)
}
