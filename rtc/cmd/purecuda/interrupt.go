package main

import (
	"context"
	"errors"
)

// awaited is what f gives, unless the user ends the command before: f may read from
// what never ends, and no signal stops that.
func awaited[T any](ctx context.Context, command string, f func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	got := make(chan outcome, 1)
	go func() {
		value, err := f()
		got <- outcome{value, err}
	}()
	select {
	case o := <-got:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, exit(interrupted, errors.New(command+": interrupted"))
	}
}
