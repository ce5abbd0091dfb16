package rtc

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/nvrtc"
)

// An artifact is a module compiled for one architecture.
type artifact struct {
	target string     // as users write it: "sm_90"; "cubin" or "fatbin" where that is not known
	arch   nvrtc.Arch // zero where it is not known
	ptx    string
	cubin  []byte
	log    string
	names  map[string]string // export → name in the module

	// The cubin is for a linker, not for the driver.
	relocatable bool

	read sync.Once
	is   code
}

// code is what is known of an artifact from its PTX or cubin.
func (a *artifact) code() *code {
	a.read.Do(func() {
		switch {
		case a.ptx != "":
			a.is = readPTX(a.ptx)
		case len(a.cubin) > 0:
			a.is = readCubin(a.cubin)
		}
	})
	return &a.is
}

// image is what the driver loads on dev: the machine code, unless dev runs
// only the PTX.
func (a *artifact) image(dev *Device) []byte {
	if a.cubin == nil || a.ptx != "" && (a.relocatable || !a.runsOn(dev)) {
		return []byte(a.ptx)
	}
	return a.cubin
}

// runsOn reports whether the machine code runs on dev: on its own capability
// and on later ones of the same generation, but code for sm_90a on 9.0 alone.
func (a *artifact) runsOn(dev *Device) bool {
	if a.arch.IsZero() {
		return true // for the driver to say
	}
	return a.arch.Major == dev.major && (a.arch.Minor == dev.minor || a.arch.Minor < dev.minor && a.arch.Suffix == "")
}

// find finds the entry point that a user means by name, and its parameters.
func (a *artifact) find(name string) (string, []abi.Slot, error) {
	code := a.code()
	entry, exported := a.names[name]
	if !exported {
		entry = name
	}
	if !code.known { // a driver tells later
		return entry, nil, nil
	}
	slots, err := code.slots(entry)
	if err != nil && !exported {
		return "", nil, a.unknown(name)
	}
	return entry, slots, err
}

// unknown says what there is instead of a kernel called name.
func (a *artifact) unknown(name string) error {
	var have, same []string
	for _, e := range a.code().entries {
		readable := abi.Demangle(e.name)
		if readable == e.name {
			have = append(have, e.name)
			continue
		}
		have = append(have, fmt.Sprintf("%s (%s)", e.name, readable))
		whole := readableName(e.name)
		base, _, _ := strings.Cut(whole, "<")
		if want := strings.ReplaceAll(name, " ", ""); whole == want || base == want || strings.HasSuffix(base, "::"+want) {
			same = append(same, e.name)
		}
	}
	if len(same) > 0 {
		return fmt.Errorf("no such kernel: its name in the module is %s, since it is not extern \"C\"; declare it extern \"C\", or list %q in Exports", strings.Join(short(same), ", "), name)
	}
	if len(have) == 0 {
		template := name
		if !strings.Contains(name, "<") {
			template += "<float>"
		}
		return fmt.Errorf("no such kernel: the module has none; a template is compiled only for the arguments that Exports names, such as %q", template)
	}
	slices.Sort(have)
	if strings.Contains(name, "<") {
		return fmt.Errorf("no such kernel: the module has %s; a template is compiled only for the arguments that Exports names: list %q there", strings.Join(short(have), ", "), name)
	}
	return fmt.Errorf("no such kernel: the module has %s; others must be extern \"C\" or listed in Exports", strings.Join(short(have), ", "))
}

// short cuts a list that nobody would read to its end.
func short(list []string) []string {
	const most = 20
	if len(list) <= most {
		return list
	}
	return append(slices.Clone(list[:most]), fmt.Sprintf("… (%d in all)", len(list)))
}

// variable finds a variable's name in the module.
func (a *artifact) variable(name string) (string, error) {
	plain := strings.TrimPrefix(strings.TrimSpace(name), "&")
	for _, export := range []string{name, "&" + plain, plain} {
		if lowered, ok := a.names[export]; ok {
			return lowered, nil
		}
	}
	code := a.code()
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
	if len(have) == 0 {
		return "", fmt.Errorf("no such variable: the module has none; the compiler leaves out __device__ variables that nothing uses and Exports does not list (%q)", "&"+plain)
	}
	return "", fmt.Errorf("no such variable: the module has %s; the compiler leaves out those that nothing uses and Exports does not list (%q)", strings.Join(short(have), ", "), "&"+plain)
}
