package driver

import "github.com/purecuda/purecuda/dl"

// Describe is the driver's own name and words for a code; "" for one that it
// does not know. A newer driver may know codes that this package doesn't.
// Safe for concurrent use.
func (d *Driver) Describe(r Result) (name, text string) { return d.api.describe(r) }

func (a *api) describe(r Result) (name, text string) {
	p := new(uintptr)
	if a.getErrorName(r, p) == nil {
		name = dl.GoString(*p)
	}
	*p = 0
	if a.getErrorString(r, p) == nil {
		text = dl.GoString(*p)
	}
	return name, text
}
