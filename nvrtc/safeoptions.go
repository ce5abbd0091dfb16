package nvrtc

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// SafeOptions holds options that come from somebody else against a list of those
// that can't do harm: that read no file, write none, and start nothing. What is
// not on the list is refused, in every spelling, and so is a value that isn't of
// the form that the option's has. Folders for headers must lie in folders, or be
// one of them.
//
// It gives the options in their order, each spelled in one way that leaves NVRTC
// nothing to read differently, as one element --name=value with folders whole
// paths; those are to be given to NVRTC. The error is an *OptionError.
//
// Nothing is looked up on disk: a link in an allowed folder leads where it leads.
// What sources read is not a matter of options.
//
// Safe for concurrent use.
func SafeOptions(options []string, folders ...string) ([]string, error) {
	var out []string
	for _, o := range ParseOptions(options) {
		spelled, reason := o.safe(folders)
		if reason != "" {
			return nil, fmt.Errorf("nvrtc: safe options: %w", &OptionError{Index: o.Index, Args: o.Args, Reason: reason})
		}
		out = append(out, spelled)
	}
	return out, nil
}

func (o *Option) safe(folders []string) (spelled, reason string) {
	if o.Name == "--include-path" && o.Has {
		folder, reason := within(o.Value, folders)
		return o.Name + "=" + folder, reason
	}
	fits, listed := safeValues[o.Name]
	switch {
	case o.Name == "":
		return "", "it is no option that is known here"
	case !listed:
		return "", o.Name + " is not among the options that can do no harm"
	case fits == nil:
		return o.Name, ""
	case !o.Has:
		return "", o.Name + " lacks its value"
	case !fits(o.Value):
		return "", fmt.Sprintf("%q is no value of %s that is known to do no harm", o.Value, o.Name)
	}
	return o.Name + "=" + o.Value, ""
}

// safeValues are the options that can do no harm; nil: they have no value.
var safeValues = map[string]func(string) bool{
	"--gpu-architecture": func(v string) bool { _, err := ParseArch(v); return err == nil },
	"--std":              oneOf("c++03", "c++11", "c++14", "c++17", "c++20", "c++23"),
	// A line break would begin a line of the program that no scan has seen.
	"--define-macro":      matches(`[A-Za-z_]\w*(\([\w, .]*\))?(=[^\x00-\x08\x0a-\x1f\x7f]*)?`),
	"--undefine-macro":    matches(`[A-Za-z_]\w*`),
	"--no-source-include": nil,

	"--device-c":                 nil,
	"--device-w":                 nil,
	"--relocatable-device-code":  onOrOff,
	"--extensible-whole-program": nil,
	"--dlink-time-opt":           nil,
	"--optix-ir":                 nil,

	"--device-debug":                      nil,
	"--generate-line-info":                nil,
	"--dopt":                              oneOf("on"),
	"--Ofast-compile":                     oneOf("0", "min", "mid", "max"),
	"--ptxas-options":                     safePTXAS,
	"--maxrregcount":                      upTo(255),
	"--ftz":                               onOrOff,
	"--prec-sqrt":                         onOrOff,
	"--prec-div":                          onOrOff,
	"--fmad":                              onOrOff,
	"--use_fast_math":                     nil,
	"--extra-device-vectorization":        nil,
	"--jump-table-density":                upTo(101),
	"--device-stack-protector":            onOrOff,
	"--modify-stack-limit":                onOrOff,
	"--restrict":                          nil,
	"--device-int128":                     nil,
	"--device-float128":                   nil,
	"--builtin-move-forward":              onOrOff,
	"--builtin-initializer-list":          onOrOff,
	"--minimal":                           nil,
	"--fdevice-syntax-only":               nil,
	"--no-cache":                          nil,
	"--frandom-seed":                      matches(`[\w.-]{1,64}`),
	"--disable-warnings":                  nil,
	"--optimization-info":                 oneOf("inline"),
	"--display-error-number":              nil,
	"--no-display-error-number":           nil,
	"--diag-error":                        diagnosticNumbers,
	"--diag-suppress":                     diagnosticNumbers,
	"--diag-warn":                         diagnosticNumbers,
	"--brief-diagnostics":                 onOrOff,
	"--device-as-default-execution-space": nil,
}

var (
	onOrOff           = oneOf("true", "false")
	diagnosticNumbers = matches(`\d{1,6}(,\d{1,6}){0,99}`)
	ptxasLevel        = matches(`-O[0-3]|--opt-level=[0-3]|-v|--verbose`)
)

// safePTXAS is for ptxas' own options, one at a time: it reads files of options too.
func safePTXAS(value string) bool {
	name, count, found := strings.Cut(value, "=")
	if found && (name == "-maxrregcount" || name == "--maxrregcount") {
		return upTo(255)(count)
	}
	return ptxasLevel(value)
}

func oneOf(values ...string) func(string) bool {
	return func(v string) bool { return slices.Contains(values, v) }
}

func upTo(most int) func(string) bool {
	return func(v string) bool {
		n, err := strconv.Atoi(v)
		return err == nil && n >= 0 && n <= most && v == strconv.Itoa(n)
	}
}

func matches(expression string) func(string) bool {
	whole := pattern(`\A(?:` + expression + `)\z`)
	return func(v string) bool { return whole().MatchString(v) }
}

// within gives a folder as a whole path, and why it may not be searched.
func within(folder string, allowed []string) (string, string) {
	if folder == "" {
		return "", "the folder has no name"
	}
	whole, err := filepath.Abs(folder)
	if err != nil {
		return "", err.Error()
	}
	for _, a := range allowed {
		if a, err = filepath.Abs(a); err != nil {
			continue
		}
		if inside, err := filepath.Rel(a, whole); err == nil && filepath.IsLocal(inside) {
			return whole, ""
		}
	}
	return "", "headers may not be looked for there"
}
