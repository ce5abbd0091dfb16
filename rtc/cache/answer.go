package cache

import (
	"errors"
	"fmt"
)

// An answer is what came of a call to a store.
type answer[T any] struct {
	value T
	err   error
}

// begin calls a store in a goroutine of its own, since it may not look at its
// context, and gives what will come of it. A store that panics has failed, and no more: what
// is stored is compiled again.
func begin[T any](call func() (T, error)) <-chan answer[T] {
	answers := make(chan answer[T], 1)
	go func() {
		a := answer[T]{err: errors.New("it ended its goroutine")}
		defer func() {
			if v := recover(); v != nil {
				a.err = fmt.Errorf("it panicked: %v", v)
			}
			answers <- a
		}()
		value, err := call()
		a = answer[T]{value, err}
	}()
	return answers
}
