package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/purecuda/purecuda/nvrtc"
)

// sayings are what is told of compiles, in the form of GNU's tools, each once:
// a mistake is found for every architecture.
type sayings struct {
	w    io.Writer
	said map[string]bool
}

func newSayings(w io.Writer) *sayings { return &sayings{w, map[string]bool{}} }

func (s *sayings) line(format string, args ...any) {
	text := printable(fmt.Sprintf(format, args...))
	if !s.said[text] {
		s.said[text] = true
		fmt.Fprintln(s.w, text)
	}
}

// log tells what the compiler wrote about a unit that it compiled.
func (s *sayings) log(u *unit, log string) {
	for _, d := range nvrtc.ParseLog(log) {
		s.line("%s", gnu(u, d))
	}
}

// failed tells why a unit was not compiled.
func (s *sayings) failed(u *unit) {
	var (
		refused *nvrtc.CompileError
		option  *nvrtc.OptionError
		exports *nvrtc.ExportError
	)
	switch {
	case errors.As(u.err, &exports) && errors.As(u.err, &refused):
		for i, export := range exports.Exports {
			s.line("%s: error: -e '%s': %s", u.path(""), export, exports.Reasons[i])
		}
	case errors.As(u.err, &option), !errors.As(u.err, &refused), len(refused.Diagnostics) == 0:
		s.line("%s: error: %s", u.path(""), u.plain(u.err))
		return // with the hint
	}
	for _, d := range ofSource(refused.Diagnostics) {
		s.line("%s", gnu(u, d))
	}
	for _, hint := range refused.Hints {
		s.line("%s: note: %s", u.path(""), hint)
	}
}

// ofSource leaves out what is about the file that NVRTC makes of the exports.
func ofSource(all []nvrtc.Diagnostic) []nvrtc.Diagnostic {
	return slices.DeleteFunc(slices.Clone(all), func(d nvrtc.Diagnostic) bool { return d.File == "__nv_name_map" })
}

// plain is an error without the words that its line has already.
func (u *unit) plain(err error) string {
	text := err.Error()
	for _, said := range []string{"compile: ", "nvrtc: compile " + u.request.Name + ": ", "nvrtc: compile: ", u.request.Name + ": "} {
		text = strings.TrimPrefix(text, said)
	}
	return text
}

// gnu is FILE:LINE:COLUMN: error: TEXT, and the lines that belong to it.
func gnu(u *unit, d nvrtc.Diagnostic) string {
	var b strings.Builder
	b.WriteString(u.path(d.File))
	if d.Line > 0 && d.Tool == "" {
		b.WriteString(":" + strconv.Itoa(d.Line))
		if d.Column > 0 {
			b.WriteString(":" + strconv.Itoa(d.Column))
		}
	}
	b.WriteString(": " + d.Severity.String() + ": ")
	if d.Tool != "" {
		b.WriteString(d.Tool + ": ")
	}
	b.WriteString(d.Text)
	if d.Number > 0 {
		fmt.Fprintf(&b, " [%d]", d.Number)
	}
	for _, line := range d.Detail {
		b.WriteString("\n" + line)
	}
	return b.String()
}

// path is a file as the user knows it: -name gives the program another. "" is
// the source itself.
func (u *unit) path(file string) string {
	switch {
	case file != "" && file != u.request.Name:
		return file
	case u.file == "-":
		return "<stdin>"
	}
	return u.file
}
