package ptx

import "fmt"

// A SyntaxError says where and why a text is not PTX that this package reads.
// It is what [Parse] returns, always as a *SyntaxError.
//
// Safe for concurrent use after it is made; its fields must not change.
type SyntaxError struct {
	Line   int    // line in the text, from 1
	Column int    // byte in the line, from 1
	Msg    string // what was expected and what was found
}

// Error returns "ptx: parse: line 12:3: reason".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("ptx: parse: line %d:%d: %s", e.Line, e.Column, e.Msg)
}
