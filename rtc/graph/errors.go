package graph

import (
	"errors"
	"fmt"
	"strings"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

var errClosed = fmt.Errorf("the graph is %w", rtc.ErrClosed)

// usable is called at the start of what needs the graph.
func (g *Graph) usable() error {
	switch {
	case g == nil:
		return errors.New("the graph is nil")
	case g.names == nil:
		return errors.New("the Graph was not made by New")
	case g.dev == nil:
		return errors.New("the graph was made without a device")
	case driver.InHostFunc():
		return rtc.ErrInHostFunc
	}
	return nil
}

// usable is called at the start of what needs the node.
func (n *Node) usable() error {
	switch {
	case n == nil:
		return errors.New("the node is nil")
	case n.g == nil:
		return errors.New("the Node was not made by this package")
	}
	return nil
}

func (x *Exec) usable() error {
	switch {
	case x == nil:
		return errors.New("the Exec is nil")
	case x.g == nil:
		return errors.New("the Exec was not made by Instantiate")
	case driver.InHostFunc():
		return rtc.ErrInHostFunc
	}
	return nil
}

// A reason is an error of package rtc without the words that say what that
// package was doing: the user asked for something else.
type reason struct {
	text string
	err  error
}

func (r *reason) Error() string { return r.text }
func (r *reason) Unwrap() error { return r.err }

func because(err error) error {
	if text, ok := strings.CutPrefix(err.Error(), "rtc: "); ok {
		if _, text, ok = strings.Cut(text, ": "); ok {
			return &reason{text, err}
		}
	}
	return err
}

// A PanicError says that a function of the host panicked in a run, or ended its
// goroutine. The rest of that run went on as if it had returned.
//
// Safe for concurrent use.
type PanicError struct {
	Node  string
	Value any    // of the panic; nil if the goroutine was ended, as by runtime.Goexit
	Stack []byte // where, as runtime/debug.Stack has it
}

// Error names the node.
func (e *PanicError) Error() string {
	if e.Value == nil {
		return e.Node + " ended its goroutine, as runtime.Goexit does"
	}
	return fmt.Sprintf("%s panicked: %v", e.Node, e.Value)
}

// Unwrap is the value of the panic, if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
