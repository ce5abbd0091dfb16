package rtc

import (
	"fmt"
	"runtime"
	"strings"
)

// A Leak is an array that was not closed.
type Leak struct {
	What  string // such as "float32 array (1024)"
	Bytes int
	Made  string // where: a function and a line for each call, innermost first
	Freed bool   // by AutoFree; if not, it stays until the device is closed
}

func (l Leak) String() string {
	s := fmt.Sprintf("%s, %d bytes, was not closed; it was made at\n%s", l.What, l.Bytes, l.Made)
	return strings.TrimRight(s, "\n")
}

// watch looks out for the day when nobody can reach a any more.
func (d *Device) watch(a *Array) {
	if d.leaked == nil && !d.autoFree {
		return
	}
	runtime.AddCleanup(a, func(m *memory) {
		if m.closed.Load() {
			return
		}
		if m.dev.autoFree {
			m.dev.garbage.put(m)
		}
		m.report()
	}, a.mem)
}

func (m *memory) report() {
	if m.dev.leaked != nil {
		go m.dev.leaked(Leak{What: m.what, Bytes: m.size, Made: stack(m.made), Freed: m.dev.autoFree})
	}
}

// reportOpen tells of the arrays that are open when the device is closed.
func (d *Device) reportOpen() {
	if d.leaked == nil {
		return
	}
	d.life.mu.Lock()
	defer d.life.mu.Unlock()
	for c := range d.life.kids {
		if m, ok := c.(*memory); ok && !m.closed.Load() {
			m.report()
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
