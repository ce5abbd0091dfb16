package nvrtc

import (
	"errors"
	"fmt"
	"strings"

	"github.com/purecuda/purecuda/dl"
)

// A CompileError is NVRTC's refusal to compile a program. It matches its Result
// and, where that is the reason, an *OptionError, *ExportError or
// *BuiltinsError (errors.As).
//
// Formatted with %v it is the first error in the log, with %+v everything.
//
// Safe for concurrent use after it is made; its fields must not change.
type CompileError struct {
	Name        string   // the program's
	Options     []string // as they were given
	Log         string   // whole
	Diagnostics []Diagnostic
	Result      Result
	Version     dl.Version // NVRTC's
	Path        string     // the file of NVRTC
	Hints       []string   // what may help, one sentence or two each; at most 20
	reason      error
}

// An OptionError says which option was refused.
//
// Safe for concurrent use after it is made; its fields must not change.
type OptionError struct {
	Index  int      // in the options, of its first element
	Args   []string // its elements, one or two, as they were given
	Reason string   // NVRTC's words, or those of SafeOptions
}

// Error names the option by its index and spelling, and the reason.
func (e *OptionError) Error() string {
	return fmt.Sprintf("options[%d] %s: %s", e.Index, quoted(e.Args), e.Reason)
}

// quoted shows elements so that none can be mistaken for two.
func quoted(args []string) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%q", a)
	}
	return b.String()
}

// An ExportError says which exports NVRTC could not make sense of: one that is
// bad fails the whole compile.
//
// Safe for concurrent use after it is made; its fields must not change.
type ExportError struct {
	Exports []string // the bad ones, in the order of ProgramConfig.Exports
	Reasons []string // for each, NVRTC's first words about it
}

// Error names each export and the reason.
func (e *ExportError) Error() string {
	var parts []string
	for i, x := range e.Exports {
		parts = append(parts, fmt.Sprintf("export %q: %s", x, e.Reasons[i]))
	}
	return strings.Join(parts, "; ")
}

// A BuiltinsError says that NVRTC could not open the library with its built-in
// functions, which lies beside it and is of the same version.
//
// Safe for concurrent use after it is made; its fields must not change.
type BuiltinsError struct {
	File string // the name that it looked for; "" when it doesn't say
	Path string // of the NVRTC in use
}

// Error names both libraries.
func (e *BuiltinsError) Error() string {
	file := e.File
	if file == "" {
		file = "its builtins library"
	}
	return fmt.Sprintf("%s could not open %s, which belongs beside it", e.Path, file)
}

// Error is the first error in the log, in one line, and the first hint.
func (e *CompileError) Error() string {
	s := "nvrtc: compile" + e.place() + ": " + e.first()
	if len(e.Hints) > 0 {
		s += "; hint: " + e.Hints[0]
	}
	return s
}

// place is the program's name, unless the first error begins with it.
func (e *CompileError) place() string {
	if e.Name == "" || strings.HasPrefix(e.first(), e.Name+"(") {
		return ""
	}
	return " " + e.Name
}

func (e *CompileError) first() string {
	if e.reason != nil {
		return e.reason.Error()
	}
	for _, d := range e.Diagnostics {
		if d.Severity >= Error {
			return d.String()
		}
	}
	if line, _, _ := strings.Cut(strings.TrimSpace(e.Log), "\n"); line != "" {
		return e.Result.String() + ": " + line
	}
	return e.Result.String()
}

// Format writes everything for %+v, and Error else.
func (e *CompileError) Format(f fmt.State, verb rune) {
	switch {
	case verb == 'q':
		fmt.Fprintf(f, "%q", e.Error())
		return
	case verb != 'v' || !f.Flag('+'):
		fmt.Fprint(f, e.Error())
		return
	}
	fmt.Fprintf(f, "nvrtc: compile %s: %s (%s)\n", e.Name, e.Result, e.Result.Name())
	if e.reason != nil {
		fmt.Fprintf(f, "  %s\n", e.reason)
	}
	fmt.Fprintf(f, "  NVRTC %s, %s\n  options: %s\n", e.Version, e.Path, quoted(e.Options))
	for _, h := range e.Hints {
		fmt.Fprintf(f, "  hint: %s\n", h)
	}
	fmt.Fprintf(f, "  log:\n%s", e.Log)
}

// Unwrap gives the result and the reason.
func (e *CompileError) Unwrap() []error {
	if e.reason != nil {
		return []error{e.Result, e.reason}
	}
	return []error{e.Result}
}

// compileError makes the error of a compile that NVRTC refused.
func (p *Program) compileError(options []string, log string, err error) error {
	var call *CallError
	if !errors.As(err, &call) {
		return fmt.Errorf("nvrtc: compile%s: %w", p.label(), err)
	}
	return p.refusal(options, log, call.Result)
}

// refusal is the error of a compile that ended with result, and wrote log.
func (p *Program) refusal(options []string, log string, result Result) *CompileError {
	e := &CompileError{
		Name:        p.name,
		Options:     options,
		Log:         log,
		Diagnostics: ParseLog(log),
		Result:      result,
		Version:     p.c.version,
		Path:        p.c.Path(),
	}
	switch result {
	case InvalidOption:
		if bad := badOption(options, e.Diagnostics); bad != nil {
			e.reason = bad
		}
	case BuiltinOperationFailure:
		e.reason = &BuiltinsError{File: builtinsFile().FindString(log), Path: e.Path}
	case Compilation:
		if bad := badExports(p.exports, e.Diagnostics); bad != nil {
			e.reason = bad
		} else if bad := badMacro(options, e.Diagnostics); bad != nil {
			e.reason = bad
		}
	}
	e.Hints = hints(e, p)
	return e
}
