package rtc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/abi"
)

// find finds the entry point that a user means by name, and its parameters. b
// is what the artifact was compiled from, nil if that is not known.
func (a *artifact) find(name string, b *build) (string, []abi.Slot, error) {
	entry, err := a.entry(name)
	if err != nil {
		return "", nil, err
	}
	code := a.code()
	if !code.known { // a driver tells later
		return entry, nil, nil
	}
	slots, err := code.slots(entry)
	if err != nil {
		return "", nil, a.noKernel(name, entry, b)
	}
	return entry, slots, nil
}

// entry is the name in the module of the export called name. Blanks don't
// count, unless the very name is an export or an entry point. It is name itself
// if there is no such export.
func (a *artifact) entry(name string) (string, error) {
	if lowered, ok := a.names[name]; ok {
		return lowered, nil
	}
	if a.code().isEntry(name) {
		return name, nil
	}
	var exports, entries []string
	for export, lowered := range a.names {
		if sameButBlanks(export, name) {
			exports = append(exports, fmt.Sprintf("%q", export))
			if !slices.Contains(entries, lowered) {
				entries = append(entries, lowered)
			}
		}
	}
	switch len(entries) {
	case 0:
		return strings.TrimSpace(name), nil
	case 1:
		return entries[0], nil
	}
	slices.Sort(exports)
	return "", fmt.Errorf("several exports differ from it in blanks alone: ask for one of %s", strings.Join(exports, ", "))
}

// sameButBlanks reports whether two C++ expressions have the same tokens, as
// far as that can be told without knowing literals.
func sameButBlanks(a, b string) bool { return withoutBlanks(a) == withoutBlanks(b) }

// withoutBlanks leaves out the blanks that keep no two words apart.
func withoutBlanks(s string) string {
	var b strings.Builder
	for _, field := range strings.Fields(s) {
		if text := b.String(); text != "" && isWord(text[len(text)-1]) && isWord(field[0]) {
			b.WriteByte(' ')
		}
		b.WriteString(field)
	}
	return b.String()
}

// variable finds a variable's name in the module.
func (a *artifact) variable(name string) (string, error) {
	plain := strings.TrimPrefix(strings.TrimSpace(name), "&")
	code := a.code()
	for _, export := range []string{name, "&" + plain, plain} {
		if lowered, ok := a.names[export]; ok && !code.isEntry(lowered) {
			return lowered, nil
		}
	}
	if !code.known || code.variables == nil {
		return plain, nil
	}
	var have []string
	for _, v := range code.variables {
		readable := abi.Demangle(v)
		if v == plain || readable == plain {
			return v, nil
		}
		have = append(have, readable)
	}
	if code.isEntry(plain) || code.isEntry(a.names[plain]) {
		return "", errKernelNoVariable
	}
	if len(have) == 0 {
		return "", fmt.Errorf("no such variable: the module has none; the compiler leaves out __device__ variables that nothing uses and Exports does not list (%q)", "&"+plain)
	}
	return "", fmt.Errorf("no such variable: the module has %s; the compiler leaves out those that nothing uses and Exports does not list (%q)", strings.Join(short(have), ", "), "&"+plain)
}

// short cuts a list that nobody would read to its end.
func short(list []string) []string {
	const most = 20
	if len(list) <= most {
		return list
	}
	return append(slices.Clone(list[:most]), fmt.Sprintf("… (%d in all)", len(list)))
}
