package dl

import (
	"fmt"
	"strings"
)

// An Attempt is one candidate of a search, or one place without any, and why
// it was passed over.
//
// Safe for concurrent use after it is made; its fields must not change.
type Attempt struct {
	Source Source
	From   string // the environment variable that led there, or ""
	Path   string // a file, a folder, or a name that the system's loader was asked for
	Err    error
}

// String is the line of the attempt in a NotFoundError.
func (a Attempt) String() string {
	return fmt.Sprintf("%s: %s: %v", a.where(), a.Path, a.Err)
}

func (a Attempt) where() string {
	if a.From != "" {
		return a.From
	}
	return string(a.Source)
}

// A NotFoundError says what a search tried, in order, and what to install.
// Unwrap gives the errors of the attempts.
//
// Safe for concurrent use after it is made; its fields must not change.
type NotFoundError struct {
	Library  string // what people call it
	Path     string // the path given, or ""
	Attempts []Attempt
	Advice   string
}

// Error lists everything, a line for each attempt; attempts that ended alike
// share one.
func (e *NotFoundError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "dl: find %s: ", e.Library)
	switch {
	case e.Path != "" && len(e.Attempts) == 1 && e.Attempts[0].Path == e.Path:
		fmt.Fprintf(&b, "%s: %v", e.Path, e.Attempts[0].Err)
		return b.String()
	case e.Path != "":
		fmt.Fprintf(&b, "nothing that can be used in %s", e.Path)
	default:
		fmt.Fprintf(&b, "nothing that can be used on this machine; %s", e.Advice)
	}
	for i := 0; i < len(e.Attempts); {
		a := e.Attempts[i]
		paths := []string{a.Path}
		for i++; i < len(e.Attempts); i++ {
			next := e.Attempts[i]
			if next.Source != a.Source || next.From != a.From || next.Err.Error() != a.Err.Error() {
				break
			}
			paths = append(paths, next.Path)
		}
		fmt.Fprintf(&b, "\n\t%s: %s: %v", a.where(), strings.Join(paths, ", "), a.Err)
	}
	return b.String()
}

// Unwrap gives the errors of the attempts.
func (e *NotFoundError) Unwrap() []error {
	errs := make([]error, len(e.Attempts))
	for i, a := range e.Attempts {
		errs[i] = a.Err
	}
	return errs
}

// install says what brings a library to a machine.
type install struct {
	debian, wheel, windows string
}

// advice is what to do about a library that is missing.
func (s Spec) advice(m *machine) string {
	var ways []string
	switch m.goos {
	case "windows":
		ways = append(ways, "install "+s.install.windows)
	case "linux":
		if s.driver {
			ways = append(ways, "install the NVIDIA driver (Debian: "+s.install.debian+"; in a container, start it with the GPUs)")
		} else {
			ways = append(ways, "install the CUDA toolkit or Debian's "+s.install.debian)
		}
	default:
		return "CUDA does not exist for " + m.goos
	}
	if s.install.wheel != "" {
		ways = append(ways, "or pip's "+s.install.wheel)
	}
	return strings.Join(append(ways, "or set "+s.variable+" to its file or folder"), ", ")
}
