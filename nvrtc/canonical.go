package nvrtc

import (
	"slices"
	"strings"
)

// Canonical spells the options in one way, for lists to be compared by: with
// long names, as --name=value, one element each, sorted by name. Options whose
// order among each other counts keep it: those of one name, -D with -U, and the
// three that say what becomes of a diagnostic. -DX is -DX=1, -dc is -rdc=true
// and -dw -rdc=false.
//
// Lists that mean the same to NVRTC by spelling alone have the same canonical
// form, and a canonical form is its own. Where an element isn't known, all stay
// in the order they were given, and that one as it is.
func (l OptionList) Canonical() []string {
	out := make([]string, 0, len(l))
	type placed struct{ group, text string }
	all := make([]placed, 0, len(l))
	known := true
	for _, o := range l {
		name, value, has := o.meaning()
		switch {
		case name == "":
			known = false
			for _, a := range o.Args {
				all = append(all, placed{"", a})
			}
		case has:
			all = append(all, placed{group(name), name + "=" + value})
		default:
			// Without a value that it needs, it would take the next element for it.
			known = known && optionByName[name].kind == flagOption
			all = append(all, placed{group(name), name})
		}
	}
	if known {
		slices.SortStableFunc(all, func(a, b placed) int { return strings.Compare(a.group, b.group) })
	}
	for _, p := range all {
		out = append(out, p.text)
	}
	return out
}

// meaning is an option's name and value, with one spelling for what NVIDIA's
// manual calls equivalent.
func (o *Option) meaning() (name, value string, has bool) {
	switch {
	case o.Name == "--device-c":
		return "--relocatable-device-code", "true", true
	case o.Name == "--device-w":
		return "--relocatable-device-code", "false", true
	case o.Name == "--define-macro" && o.Has && o.Value != "" && !strings.Contains(o.Value, "="):
		return o.Name, o.Value + "=1", true
	}
	return o.Name, o.Value, o.Has
}

// group is what options have in common whose order among each other counts.
func group(name string) string {
	switch name {
	case "--undefine-macro":
		return "--define-macro"
	case "--diag-suppress", "--diag-warn":
		return "--diag-error"
	}
	return name
}
