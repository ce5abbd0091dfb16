package nvrtc

import (
	"strings"
)

var (
	// nvrtc: error: unrecognized option -O3 found
	unrecognized = pattern(`^unrecognized option (?s:(.*)) found$`)
	// nvrtc: error: --std (-std) defined more than once
	namesOption = pattern(`(--[\w-]+)(?: \(-[\w-]+\))?`)
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
