package main

import (
	"errors"
	"flag"
	"io"
	"strings"
	"time"
)

// flags are those of a command.
type flags struct {
	*flag.FlagSet
	command string
	// others, if not nil, returns how many of the arguments, from the first on,
	// are an option that is not the command's own; 0 if it is none.
	others func(args []string) int
	hint   func(name string) string // behind "unknown flag"
}

func newFlags(command string) *flags {
	set := flag.NewFlagSet(command, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	return &flags{FlagSet: set, command: command}
}

// parse sets the flags and returns the other arguments, in any order with them,
// and what stands behind "--".
func (f *flags) parse(args []string) (rest, behind []string, err error) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return rest, args[i+1:], nil
		}
		if len(a) < 2 || a[0] != '-' {
			rest = append(rest, a)
			continue
		}
		name, value, has := strings.Cut(strings.TrimPrefix(a[1:], "-"), "=")
		known := f.Lookup(name)
		switch {
		case known == nil && (name == "h" || name == "help"):
			return nil, nil, errHelp
		case known == nil:
			n := 0
			if f.others != nil {
				n = f.others(args[i:])
			}
			if n == 0 {
				hint := ""
				if f.hint != nil {
					hint = f.hint(name)
				}
				return nil, nil, usageError(f.command, "unknown flag -%s%s%s", name, didYouMean("-"+name, f.known()), hint)
			}
			i += n - 1
			continue
		case isBool(known) && !has:
			value = "true"
		case !has:
			if i++; i == len(args) {
				return nil, nil, usageError(f.command, "-%s has no value behind it", name)
			}
			value = args[i]
		}
		if err := f.Set(name, value); err != nil {
			if g, ok := known.Value.(flag.Getter); ok {
				if _, is := g.Get().(time.Duration); is {
					err = errors.New("it is no time: as in 500ms, 5s, 2m")
				}
			}
			return nil, nil, usageError(f.command, "-%s %s: %v", name, value, err)
		}
	}
	return rest, nil, nil
}

func (f *flags) known() (names []string) {
	f.VisitAll(func(known *flag.Flag) { names = append(names, "-"+known.Name) })
	return names
}

func isBool(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// A list is a flag that may be given several times.
type list []string

// String is flag.Value's.
func (l *list) String() string { return strings.Join(*l, " ") }

// Set is flag.Value's.
func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}
