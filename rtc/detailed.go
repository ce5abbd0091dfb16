package rtc

import "fmt"

// A detailed error puts words before another one that has more to tell with
// %+v, as an *nvrtc.CompileError has, and hands that on.
type detailed struct {
	words string
	err   error
}

func (e *detailed) Error() string { return e.words + e.err.Error() }
func (e *detailed) Unwrap() error { return e.err }

// Format writes all that there is for %+v, and Error's text otherwise.
func (e *detailed) Format(f fmt.State, verb rune) {
	if verb == 'v' && f.Flag('+') {
		fmt.Fprintf(f, "%s%+v", e.words, e.err)
		return
	}
	fmt.Fprintf(f, fmt.FormatString(f, verb), e.Error())
}
