package rtc

import (
	"fmt"
	"runtime"
	"strings"
)

// A Leak is an array that was not closed. See [OpenConfig.Leaked].
//
// Safe for concurrent use after it is made; its fields must not change.
type Leak struct {
	What  string // such as "float32 array [1024]"
	Bytes int
	Made  string // where: a function and a line for each call, innermost first
	Freed bool   // by AutoFree; if not, it stays until the device is closed
}

// String says what was not closed and where it was made.
func (l Leak) String() string {
	s := fmt.Sprintf("%s, %d bytes, was not closed; it was made at\n%s", l.What, l.Bytes, l.Made)
	return strings.TrimRight(s, "\n")
}

// watch looks out for the day when nobody can reach a any more.
func (d *Device) watch(a *Array) {
	leaks := d.leaked != nil && a.mem.owner == &d.life // a scope frees its own
	if !leaks && !d.autoFree {
		return
	}
	runtime.AddCleanup(a, func(m *memory) {
		if m.closed() {
			return
		}
		if d.autoFree {
			d.garbage.put(m)
		}
		if leaks { // cleanups must not be held up by what the user does
			go m.report(d.autoFree)
		}
	}, a.mem)
}

// report tells of m, once.
func (m *memory) report(freed bool) {
	if m.dev.leaked != nil && !m.reported.Swap(true) {
		m.dev.leaked(Leak{What: m.what, Bytes: m.size, Made: stack(m.made), Freed: freed})
	}
}

// reportOpen tells of the arrays that are open when the device is closed.
func (d *Device) reportOpen() {
	if d.leaked == nil {
		return
	}
	for _, c := range d.life.list() {
		if m, ok := c.(*memory); ok && !m.closed() {
			m.report(false)
		}
	}
}

func stack(pcs []uintptr) string {
	var b strings.Builder
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		if f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") {
			fmt.Fprintf(&b, "%s\n\t%s:%d\n", f.Function, f.File, f.Line)
		}
		if !more {
			return b.String()
		}
	}
}
