package nvrtc

import (
	"slices"
	"strings"
)

// An Option is one option of a list, as NVRTC would read it.
//
// Safe for concurrent use after it is made; its fields must not change.
type Option struct {
	Name  string   // the long name: --gpu-architecture; "" when it is none that is known here
	Value string   // "" when there is none
	Has   bool     // there is a value
	Args  []string // the elements that spell it, one or two, as they were given
	Index int      // the place of the first
}

// Options spelled out are a list of elements; an OptionList is what they mean.
//
// Safe for concurrent use after it is made; its fields must not change.
type OptionList []Option

// The blanks that NVRTC takes off both ends of an element.
const optionBlanks = " \t\n\v\f\r"

// ParseOptions reads options in any spelling that NVRTC takes: -arch=sm_70,
// --gpu-architecture=sm_70, "-arch" and "sm_70" as two elements, blanks around
// each. It refuses nothing: what it doesn't know is kept as it is, with an empty
// Name.
func ParseOptions(args []string) OptionList {
	var list OptionList
	for i := 0; i < len(args); i++ {
		o := Option{Args: args[i : i+1 : i+1], Index: i}
		element := strings.Trim(args[i], optionBlanks)
		name, value, equals := strings.Cut(element, "=")
		spec := optionByName[name]
		switch {
		case spec != nil && equals && spec.kind != flagOption:
			o.Name, o.Value, o.Has = spec.long, value, true
		case spec != nil && !equals && spec.kind == flagOption:
			o.Name = spec.long
		case spec != nil && !equals && (spec.kind == valueOption || spec.kind == joinedOption):
			o.Name = spec.long
			if i+1 < len(args) {
				i++
				o.Args = args[i-1 : i+1 : i+1]
				o.Value, o.Has = strings.Trim(args[i], optionBlanks), true
			}
		default:
			// -DX=1, -Ifolder: the name is two characters.
			if len(element) > 2 {
				if spec := optionByName[element[:2]]; spec != nil && spec.kind == joinedOption {
					o.Name, o.Value, o.Has = spec.long, strings.TrimLeft(element[2:], optionBlanks), true
				}
			}
		}
		list = append(list, o)
	}
	return list
}

// Find gives the last option with the long name: where NVRTC takes an option
// twice (13.0 does, 12.4 refuses), the last one counts.
func (l OptionList) Find(name string) (Option, bool) {
	for _, o := range slices.Backward(l) {
		if o.Name == name {
			return o, true
		}
	}
	return Option{}, false
}

// Arch is the architecture that the options ask for. ok is false when they ask
// for none or for one that isn't known here (Find tells which).
func (l OptionList) Arch() (arch Arch, ok bool) {
	o, ok := l.Find("--gpu-architecture")
	if !ok {
		return Arch{}, false
	}
	arch, err := ParseArch(o.Value)
	return arch, err == nil
}

// Std is the C++ dialect that the options ask for, such as c++17; "" when they
// ask for none.
func (l OptionList) Std() string {
	o, _ := l.Find("--std")
	return o.Value
}
