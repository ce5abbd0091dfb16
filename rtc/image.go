package rtc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/abi/ptx"
	"github.com/purecuda/purecuda/nvrtc"
)

// LoadModule makes a Module of code compiled earlier: PTX text, a cubin, or a
// fatbin. It needs no NVRTC. Of the ModuleConfig only Name and Exports count.
// Exports are found among the module's entry points by their readable names,
// which takes PTX; a kernel of a cubin is asked for by the name it has there.
//
// The image is copied. Whether it fits a device shows when a kernel first runs
// there; PTX fits every device that is not older than its target.
func LoadModule(image []byte, c ModuleConfig) (*Module, error) {
	if c.Name == "" {
		c.Name = "image"
	}
	m, err := loadModule(image, c)
	if err != nil {
		return nil, fmt.Errorf("rtc: load module %s: %w", c.Name, err)
	}
	return m, nil
}

const fatbinMagic = 0xBA55ED50

func loadModule(image []byte, c ModuleConfig) (*Module, error) {
	art := &artifact{names: map[string]string{}}
	switch {
	case len(image) == 0:
		return nil, errors.New("the image is empty")
	case bytes.HasPrefix(image, []byte("\x7fELF")):
		art.cubin, art.target = bytes.Clone(image), "cubin"
	case len(image) >= 4 && binary.LittleEndian.Uint32(image) == fatbinMagic:
		art.cubin, art.target = bytes.Clone(image), "fatbin"
	default:
		// cuModuleLoadData reads PTX up to a NUL, which the driver package adds.
		art.ptx = string(bytes.TrimRight(image, "\x00"))
		tree, err := art.module()
		if err != nil {
			return nil, fmt.Errorf("the image is no cubin and no fatbin, and as PTX: %w", err)
		}
		art.target = tree.Target.Arch
	}
	for _, e := range c.Exports {
		tree, _ := art.module()
		if tree == nil {
			return nil, fmt.Errorf("export %q: a %s does not tell readable names; ask for the kernel by the name it has there", e, art.target)
		}
		name, err := exported(tree, e)
		if err != nil {
			return nil, err
		}
		art.names[e] = name
	}
	m := &Module{name: c.Name, artifacts: map[nvrtc.Arch]*pending{}, loaded: map[*Device]*loaded{}, initial: art}
	return m, nil
}

// exported finds the entry point whose readable name is the export.
func exported(tree *ptx.Module, export string) (string, error) {
	want := strings.ReplaceAll(export, " ", "")
	var found []string
	for _, e := range tree.Entries() {
		if readableName(e.Name) == want {
			found = append(found, e.Name)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", fmt.Errorf("export %q: no entry point has that name", export)
	}
	return "", fmt.Errorf("export %q: several entry points have that name: %s", export, strings.Join(found, ", "))
}

// readableName is a mangled function's name with its template arguments, but
// without its parameters, its result and blanks: "axpy<float>".
func readableName(mangled string) string {
	s := abi.Demangle(mangled)
	if s == mangled {
		return s
	}
	// The parameters begin at the last parenthesis that opens at depth 0; the
	// result, which only templates show, ends at the last blank before the name
	// at depth 0.
	depth, start, end := 0, 0, len(s)
	for i, r := range s {
		switch r {
		case '<':
			depth++
		case '>':
			depth--
		case '(':
			if depth == 0 && end == len(s) && i > 0 {
				end = i
			}
			depth++
		case ')':
			depth--
		case ' ':
			if depth == 0 && end == len(s) {
				start = i + 1
			}
		}
	}
	return strings.ReplaceAll(s[start:end], " ", "")
}
