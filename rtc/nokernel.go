package rtc

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/abi"
)

var (
	errKernelNoVariable = errors.New("it is a kernel, not a variable: ask Module.Kernel for it")
	errVariableNoKernel = errors.New("it is a variable, not a kernel: ask Module.Global for it")
)

// noKernel says why no kernel is called name, and what there is instead. entry
// is the name in the module that it would have.
func (a *artifact) noKernel(name, entry string, b *build) error {
	code := a.code()
	plain := strings.TrimPrefix(strings.TrimSpace(name), "&")
	for _, v := range code.variables {
		if v == entry || v == plain || abi.Demangle(v) == plain {
			return errVariableNoKernel
		}
	}
	if err := a.sameName(plain); err != nil {
		return err
	}
	for _, v := range code.variables {
		if readable := abi.Demangle(v); strings.HasSuffix(readable, "::"+plain) {
			return fmt.Errorf("%w, by the name %q", errVariableNoKernel, readable)
		}
	}
	for _, f := range code.functions {
		if f == plain || withoutBlanks(readable(f)) == withoutBlanks(plain) {
			return errors.New("it is a function of the device, not a kernel: declare it __global__ in place of __device__")
		}
	}
	what := declaredAs("")
	if b != nil {
		what = b.declared(plain)
	}
	switch what {
	case deviceVariable:
		return fmt.Errorf("%w; the compiler left it out: unless an #if does so, list %q in Exports", errVariableNoKernel, "&"+plain)
	case deviceFunction, plainFunction:
		return fmt.Errorf("it is %s in the source, not a kernel: declare it __global__", what)
	}
	template := strings.Contains(plain, "<")
	if len(code.entries) == 0 {
		switch {
		case what == templateKernel || template:
			if !template {
				plain += "<float>"
			}
			return fmt.Errorf("no such kernel: the module has none; a template is compiled only for the arguments that Exports names, such as %q", plain)
		case b == nil:
			return errors.New("no such kernel: the image has none")
		case !b.mentions("__global__"):
			return fmt.Errorf("no such kernel: %s defines no kernel, which is a function declared __global__", b.describe())
		}
	}
	have := a.kernels()
	list := "the module has none"
	if len(have) > 0 {
		list = "the module has " + strings.Join(short(have), ", ")
	}
	switch {
	case what == templateKernel && !template:
		return fmt.Errorf("no such kernel: %s is a template, and compiled only for the arguments that Exports names, such as %q; %s", plain, plain+"<float>", list)
	case what == globalKernel:
		return fmt.Errorf("no such kernel: the source has it, but the compiler did not come by it, as with an #if that leaves it out; %s", list)
	case b != nil && !b.mentions(lastWord(plain)):
		return fmt.Errorf("no such kernel: the source has no %s; %s", lastWord(plain), list)
	case template:
		return fmt.Errorf("no such kernel: %s; a template is compiled only for the arguments that Exports names: list %q there", list, a.inNamespace(name))
	}
	return fmt.Errorf("no such kernel: %s; others must be extern \"C\" or listed in Exports", list)
}

// kernels are the names to ask for the module's kernels by: exports in quotes,
// then the names in the module, readable in parentheses.
func (a *artifact) kernels() []string {
	var exports, others []string
	for _, e := range a.code().entries {
		if export, ok := a.exportOf(e.name); ok {
			exports = append(exports, fmt.Sprintf("%q", export))
		} else if readable := abi.Demangle(e.name); readable != e.name {
			others = append(others, fmt.Sprintf("%s (%s)", e.name, readable))
		} else {
			others = append(others, e.name)
		}
	}
	slices.Sort(exports)
	slices.Sort(others)
	return append(exports, others...)
}

// exportOf is the export that an entry point has its name from.
func (a *artifact) exportOf(entry string) (export string, ok bool) {
	for e, lowered := range a.names {
		if lowered == entry && (!ok || e < export) {
			export, ok = e, true
		}
	}
	return export, ok
}

// sameName is for kernels that are called name but for their namespace, their
// template arguments or their parameters; nil if there is none.
func (a *artifact) sameName(name string) error {
	var exported, entries, ways []string
	overloaded, template := false, false
	want := strings.TrimPrefix(withoutBlanks(name), "void ")
	for _, e := range a.code().entries {
		shown := readable(e.name)
		full := withoutBlanks(shown)
		base, _, _ := strings.Cut(full, "<")
		whole := strings.TrimPrefix(withoutBlanks(abi.Demangle(e.name)), "void ")
		if shown == e.name || !slices.Contains([]string{full, base, whole}, want) && !strings.HasSuffix(base, "::"+want) && !strings.HasSuffix(full, "::"+want) {
			continue
		}
		if export, ok := a.exportOf(e.name); ok {
			exported = append(exported, fmt.Sprintf("%q", export))
			continue
		}
		entries = append(entries, e.name)
		if a.overloads(shown) {
			_, params, _ := strings.Cut(abi.Demangle(e.name), shown)
			shown, overloaded = "static_cast<void(*)"+params+">("+shown+")", true
		}
		ways = append(ways, fmt.Sprintf("%q", shown))
		template = template || base != full
	}
	slices.Sort(exported)
	where, way := strings.Join(short(entries), ", "), strings.Join(short(ways), " or ")
	switch {
	case len(exported) > 0:
		return fmt.Errorf("no such kernel: ask for %s, as Exports has it", strings.Join(short(exported), " or "))
	case len(entries) == 0:
		return nil
	case overloaded:
		return fmt.Errorf("no such kernel: it is overloaded, in the module as %s: list %s in Exports and ask for that, or give each a name of its own", where, way)
	case template:
		return fmt.Errorf("no such kernel: its name in the module is %s: list %s in Exports", where, way)
	}
	return fmt.Errorf("no such kernel: its name in the module is %s, since it is not extern \"C\"; declare it extern \"C\", or list %s in Exports", where, way)
}

// overloads reports whether several entry points have the readable name.
func (a *artifact) overloads(name string) bool {
	n := 0
	for _, e := range a.code().entries {
		if readable(e.name) == name {
			n++
		}
	}
	return n > 1
}

// inNamespace is name with the namespace of a kernel that has the same name
// without one, if there is such a kernel.
func (a *artifact) inNamespace(name string) string {
	want, args, _ := strings.Cut(withoutBlanks(name), "<")
	for _, e := range a.code().entries {
		base, _, _ := strings.Cut(withoutBlanks(readable(e.name)), "<")
		if args != "" && strings.HasSuffix(base, "::"+want) {
			return strings.TrimSuffix(base, want) + strings.TrimSpace(name)
		}
	}
	return name
}
