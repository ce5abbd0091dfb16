package nvrtc

import (
	"strings"
)

var (
	// nvrtc: error: unrecognized option -O3 found
	unrecognized = pattern(`^unrecognized option (?s:(.*)) found$`)
	// nvrtc: error: --std (-std) defined more than once
	namesOption = pattern(`(--[\w-]+)(?: \(-[\w-]+\))?`)
	// Command-line error: invalid macro definition: 1x
	macro = pattern(`^invalid macro definition: (.*)$`)
)

// badOption finds the element that NVRTC refused; nil when its words name none.
func badOption(options []string, diagnostics []Diagnostic) *OptionError {
	for _, d := range diagnostics {
		if d.Tool != "nvrtc" || d.Severity < Error {
			continue
		}
		if m := unrecognized().FindStringSubmatch(d.Text); m != nil {
			for i, o := range options {
				if strings.Trim(o, optionBlanks) == m[1] {
					return &OptionError{Index: i, Args: options[i : i+1], Reason: d.Text}
				}
			}
		}
		if m := namesOption().FindStringSubmatch(d.Text); m != nil {
			if o, ok := guilty(ParseOptions(options), m[1], d.Text); ok {
				return &OptionError{Index: o.Index, Args: o.Args, Reason: d.Text}
			}
		}
	}
	return nil
}

// badMacro finds the -D that the front end refused, which it tells of by the
// text alone; nil when there is none.
func badMacro(options []string, diagnostics []Diagnostic) *OptionError {
	for _, d := range diagnostics {
		m := macro().FindStringSubmatch(d.Text)
		if m == nil || d.File != "" {
			continue
		}
		for _, o := range ParseOptions(options) {
			if o.Name == "--define-macro" && o.Value == strings.Trim(m[1], optionBlanks) {
				return &OptionError{Index: o.Index, Args: o.Args, Reason: strings.TrimRight(d.Text, ": ")}
			}
		}
	}
	return nil
}

// guilty picks the option of that name: the second one when it may be there
// only once, else the first.
func guilty(list OptionList, name, text string) (Option, bool) {
	skip := strings.Contains(text, "more than once")
	var found Option
	ok := false
	for _, o := range list {
		if o.Name == name {
			found, ok = o, true
			if !skip {
				break
			}
			skip = false
		}
	}
	return found, ok
}
