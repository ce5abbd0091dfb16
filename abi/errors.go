package abi

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrNoSignature says that a compiled kernel's name does not tell its
// parameters: the kernel is extern "C", or the name is no function's. The
// signature has to be stated then.
var ErrNoSignature = errors.New("the name does not tell the parameters; state the signature")

// A SignatureError says why a signature was refused.
// Safe for concurrent use after it is made; its fields must not change.
type SignatureError struct {
	Signature string // the whole text, or the mangled name
	Index     int    // of the parameter, from 0; -1 for the whole
	Param     string // the parameter as it was written
	Name      string // the parameter's name, "" while it is not known
	Msg       string // the reason
}

// Error names the signature, the parameter and the reason.
func (e *SignatureError) Error() string {
	if e.Index < 0 {
		return fmt.Sprintf("abi: signature %q: %s", clip(e.Signature), clipTo(e.Msg, 4096))
	}
	return fmt.Sprintf("abi: signature %q: parameter %s, %q: %s", clip(e.Signature), position(e.Index, e.Name), clip(e.Param), clipTo(e.Msg, 4096))
}

// A LayoutError says in what a signature and a compiled kernel differ.
// Safe for concurrent use after it is made; its fields must not change.
type LayoutError struct {
	Kernel string // as given to Check
	Index  int    // of the parameter, from 0; -1 where the count differs
	Name   string // of the parameter
	Msg    string // the difference
}

// Error names the kernel, the argument and the difference.
func (e *LayoutError) Error() string {
	if e.Index < 0 {
		return fmt.Sprintf("abi: %s: %s", kernelName(e.Kernel), clipTo(e.Msg, 4096))
	}
	return fmt.Sprintf("abi: %s: argument %s: %s", kernelName(e.Kernel), position(e.Index, e.Name), clipTo(e.Msg, 4096))
}

// An ArgumentError says why a value was refused as an argument.
// Safe for concurrent use after it is made; its fields must not change.
type ArgumentError struct {
	Kernel string // as given to NewBuffer
	Index  int    // of the argument, from 0
	Name   string // of the parameter, "" where the signature has none
	Want   string // the parameter's C type; "" if there is no such parameter
	Got    string // the value's Go type
	Msg    string // the reason
	Err    error  // what DevicePointer returned, else nil
}

// Error names the kernel, the argument, what it wants and what it got.
func (e *ArgumentError) Error() string {
	if e.Want == "" {
		return fmt.Sprintf("abi: %s: argument %s: %s", kernelName(e.Kernel), position(e.Index, e.Name), clipTo(e.Msg, 4096))
	}
	return fmt.Sprintf("abi: %s: argument %s: want %s, got %s: %s", kernelName(e.Kernel), position(e.Index, e.Name), clip(e.Want), clip(e.Got), clipTo(e.Msg, 4096))
}

// Unwrap returns e.Err.
func (e *ArgumentError) Unwrap() error { return e.Err }

// A CountError says that a kernel was given too few or too many arguments.
// Safe for concurrent use after it is made; its fields must not change.
type CountError struct {
	Kernel    string // as given to NewBuffer
	Want, Got int
	Signature string // what the kernel expects
}

// Error gives both counts and the signature.
func (e *CountError) Error() string {
	return fmt.Sprintf("abi: %s: want %s (%s), got %d", kernelName(e.Kernel), counted(e.Want, "argument"), clip(e.Signature), e.Got)
}

// clip is what a message shows of a text: of one that nobody would read to its
// end, the beginning and the end.
func clip(s string) string { return clipTo(s, 512) }

func clipTo(s string, longest int) string {
	if len(s) <= longest {
		return s
	}
	first, last := longest/2, len(s)-longest/4
	for first > 0 && !utf8.RuneStart(s[first]) {
		first--
	}
	for last < len(s) && !utf8.RuneStart(s[last]) {
		last++
	}
	return fmt.Sprintf("%s…(%d bytes in all)…%s", s[:first], len(s), s[last:])
}

func kernelName(name string) string {
	return strings.TrimRight("kernel "+clip(name), " ")
}

func position(i int, name string) string {
	if name == "" {
		return fmt.Sprint(i)
	}
	return fmt.Sprintf("%d (%s)", i, clip(name))
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
