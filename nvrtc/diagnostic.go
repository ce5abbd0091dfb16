package nvrtc

import (
	"fmt"
	"strconv"
	"strings"
)

// A Severity says how bad a Diagnostic is. They are ordered.
type Severity uint8

// The severities, the least first.
const (
	Note Severity = iota // belongs to the diagnostic before it
	Info                 // remarks, and what ptxas tells with -v
	Warning
	Error
	Fatal // the compile stopped here: catastrophic error, ptxas fatal
)

// String is the severity as a log has it.
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	case Fatal:
		return "fatal error"
	}
	return "severity " + strconv.Itoa(int(s))
}

// A Diagnostic is a message of the compiler. Its texts are pieces of the log,
// byte for byte.
//
// Safe for concurrent use after it is made; its fields must not change.
type Diagnostic struct {
	Tool     string   // "" for the C++ front end; else nvrtc, ptxas, …
	File     string   // as the program or #line names it; "" when none is named
	Line     int      // from 1; 0 when none is named
	Column   int      // from 1, in bytes; 0 when it isn't shown (before CUDA 12)
	AtEnd    bool     // the message is about the end of the source
	Severity Severity //
	Number   int      // of the message, 177 of #177-D; 0 when it isn't shown
	Text     string   //
	Detail   []string // the lines below it: the source line, the caret, where it was instantiated
}

// String is the diagnostic in one line, as NVRTC writes it.
func (d Diagnostic) String() string {
	var b strings.Builder
	switch {
	case d.Tool != "" && d.Line > 0:
		fmt.Fprintf(&b, "%s: line %d: ", d.Tool, d.Line)
	case d.Tool != "":
		b.WriteString(d.Tool + ": ")
	case d.Line > 0:
		fmt.Fprintf(&b, "%s(%d): ", d.File, d.Line)
	case d.AtEnd:
		b.WriteString("at end of source: ")
	}
	b.WriteString(d.Severity.String())
	if d.Number > 0 {
		fmt.Fprintf(&b, " #%d", d.Number)
	}
	return b.String() + ": " + d.Text
}
