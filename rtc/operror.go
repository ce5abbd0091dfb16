package rtc

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/purecuda/purecuda/dl"
)

// An opError says what was being done, and to what, when err happened. Its text
// names each thing once: what a lower package says of the same kernel again is
// left out. With %+v it tells all that err has to tell, such as an
// *nvrtc.CompileError's log.
type opError struct {
	op   string // "launch"
	name string // of the kernel, module or variable; not looked at if op is all
	of   string // the module of that name, or ""
	all  bool
	err  error
}

// failed is the error of an operation on something that the user calls name.
func failed(op, name string, err error) error { return &opError{op: op, name: name, err: err} }

func (e *opError) Error() string { return dl.Shorten(e.words() + e.once(e.err.Error())) }
func (e *opError) Unwrap() error { return e.err }

func (e *opError) words() string {
	switch {
	case e.all:
		return "rtc: " + e.op + ": "
	case e.of != "":
		return "rtc: " + e.op + " " + visible(e.name) + " of " + visible(e.of) + ": "
	}
	return "rtc: " + e.op + " " + visible(e.name) + ": "
}

// once leaves the name out where text says it again.
func (e *opError) once(text string) string {
	if e.all {
		return text
	}
	for _, again := range []struct{ who, what string }{{"driver: ", "launch "}, {"abi: ", "kernel "}} {
		text = strings.Replace(text, again.who+again.what+e.name+": ", again.who, 1)
	}
	return text
}

// visible is a name as messages write it: in quotes where one could not see
// what it is.
func visible(name string) string {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	if name == "" || name != strings.TrimSpace(name) || strings.ContainsFunc(name, hidden) {
		return strconv.Quote(name)
	}
	return name
}

// Format writes all that there is for %+v, and Error's text otherwise.
func (e *opError) Format(f fmt.State, verb rune) {
	if verb == 'v' && f.Flag('+') {
		fmt.Fprintf(f, "%s%+v", e.words(), e.err)
		return
	}
	fmt.Fprintf(f, fmt.FormatString(f, verb), e.Error())
}
