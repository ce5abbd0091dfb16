package rtc

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
)

// LoadModule makes a Module of code compiled earlier: PTX text, a cubin, or a
// fatbin. It needs no NVRTC. Of the ModuleConfig only Name and Exports count.
// Exports are found among the module's entry points and variables by their
// readable names; a kernel of a fatbin is asked for by the name it has there.
//
// The image is copied. Whether it fits a device shows when a kernel first runs
// there; PTX fits every device that is not older than its target, if the driver
// is not older than the compiler.
func LoadModule(image []byte, c ModuleConfig) (*Module, error) {
	if c.Name == "" {
		c.Name = "image"
	}
	m, err := loadModule(image, c)
	if err != nil {
		return nil, failed("load module", c.Name, err)
	}
	return m, nil
}

const fatbinMagic = 0xBA55ED50

func loadModule(image []byte, c ModuleConfig) (*Module, error) {
	art := &artifact{names: map[string]string{}}
	if err := driver.CheckImage(image); err != nil {
		return nil, fmt.Errorf("the image is %w", err)
	}
	switch {
	case len(bytes.TrimRight(image, "\x00")) == 0:
		return nil, errors.New("the image is empty")
	case bytes.HasPrefix(image, []byte("\x7fELF")) && hostELF(image):
		return nil, errors.New("the image is an ELF file for the host, no cubin")
	case bytes.HasPrefix(image, []byte("\x7fELF")):
		art.cubin, art.target = bytes.Clone(image), "cubin"
	case len(image) >= 4 && binary.LittleEndian.Uint32(image) == fatbinMagic:
		art.cubin, art.target = bytes.Clone(image), "fatbin"
	default:
		text := bytes.TrimRight(image, "\x00")
		if i := bytes.IndexByte(text, 0); i >= 0 {
			return nil, fmt.Errorf("the image is no cubin and no fatbin, and no PTX: byte %d is NUL, where the driver would stop reading", i)
		}
		art.ptx = string(text)
		if err := art.code().err; err != nil {
			return nil, fmt.Errorf("the image is no cubin and no fatbin, and as PTX: %w%s", err, otherImage(art.ptx))
		}
		art.target = art.code().target
	}
	for _, e := range c.Exports {
		if !art.code().known {
			return nil, fmt.Errorf("export %q: a %s does not tell readable names; ask for the kernel by the name it has there", e, art.target)
		}
		name, err := art.code().exported(e)
		if err != nil {
			return nil, fmt.Errorf("export %q: %w", e, err)
		}
		art.names[e] = name
	}
	m := emptyModule(c.Name)
	m.initial = art
	return m, nil
}

// hostELF reports whether an ELF file is for a processor that a host may have.
func hostELF(image []byte) bool {
	machine := elf.Machine(binary.LittleEndian.Uint16(image[18:])) // CheckImage saw the header
	return slices.Contains([]elf.Machine{elf.EM_386, elf.EM_X86_64, elf.EM_AARCH64, elf.EM_PPC64, elf.EM_RISCV}, machine)
}

var imagePath = regexp.MustCompile(`^\s*\S+\.(?:cubin|ptx|fatbin|cu)\s*$`)

// otherImage says what to do with a text that is no PTX.
func otherImage(text string) string {
	switch {
	case imagePath.MatchString(text):
		return "; it is the name of a file: give what is in it (os.ReadFile)"
	case strings.Contains(text, "__global__"):
		return "; it is CUDA C++, which NewModule compiles"
	}
	return ""
}

// exported finds the entry point or variable whose readable name is the export.
func (c *code) exported(export string) (string, error) {
	want := strings.TrimPrefix(strings.ReplaceAll(export, " ", ""), "&")
	var found []string
	for _, e := range c.entries {
		if readableName(e.name) == want {
			found = append(found, e.name)
		}
	}
	for _, v := range c.variables {
		if abi.Demangle(v) == want {
			found = append(found, v)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", errors.New("no entry point has that name")
	}
	return "", fmt.Errorf("several entry points have that name: %s", strings.Join(short(found), ", "))
}

// readableName is readable without blanks.
func readableName(mangled string) string { return strings.ReplaceAll(readable(mangled), " ", "") }

// readable is a mangled function's name with its template arguments, but
// without its parameters and its result: "axpy<float, 3>".
func readable(mangled string) string {
	s := abi.Demangle(mangled)
	if s == mangled {
		return s
	}
	// The parameters begin at the first parenthesis at depth 0, unless that is
	// "(anonymous namespace)"; the result, which only templates show, ends at
	// the last blank before the name at depth 0.
	depth, start, end := 0, 0, len(s)
	for i, r := range s {
		switch r {
		case '<':
			depth++
		case '>':
			depth--
		case '(':
			if depth == 0 && end == len(s) && i > 0 && !strings.HasPrefix(s[i:], "(anonymous namespace)") {
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
	return s[start:end]
}
