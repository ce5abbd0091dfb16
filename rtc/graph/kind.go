package graph

import "fmt"

// A Kind is what a node does.
type Kind int

// The kinds of nodes.
const (
	Kernel Kind = iota // a launch
	Copy               // a copy between arrays, or an array and a host buffer
	Fill               // of an array with one value
	Host               // a function of the host
	Event              // a moment that the program can wait for
	Empty              // nothing: a place for edges to meet
)

var kinds = [...]string{"kernel", "copy", "fill", "host", "event", "empty"}

// String is the kind's name in lower case.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kinds) {
		return fmt.Sprintf("kind %d", int(k))
	}
	return kinds[k]
}
