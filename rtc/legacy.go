package rtc

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Named is an array and the name that the body of a legacy kernel has for it.
type Named struct {
	Name  string
	Array *Array
}

// An Rtc is a kernel of the older interface, MXNet's mx.rtc.Rtc: only the body
// is written, the parameters follow from the arrays.
//
// Safe for concurrent use. The caller closes it.
type Rtc struct {
	name    string
	inputs  []wanted
	outputs []wanted
	source  *legacySource
	kernel  *Kernel
	closed  sync.Once
}

// A wanted array is what Push takes in a place.
type wanted struct {
	name  string
	dtype DType
	shape []int
}

func wantedOf(arrays []Named) []wanted {
	var w []wanted
	for _, a := range arrays {
		w = append(w, wanted{a.Name, a.Array.dtype, a.Array.shape})
	}
	return w
}

// NewRtc compiles body as a kernel called name, whose parameters are the
// inputs, which it may only read, and then the outputs, each under its name
// and as a pointer to its type of elements. For an array x the body also has
//
//	const int x_ndim        the number of its axes
//	const int x_dims[]      their lengths
//
// The same source is compiled once in a process: another NewRtc with equal
// name, body, names, types and shapes shares the compiled kernel. Lines in
// diagnostics are those of body, in a file called name.
func NewRtc(name string, inputs, outputs []Named, body string) (*Rtc, error) {
	r, err := newRtc(name, inputs, outputs, body)
	if err != nil {
		return nil, fmt.Errorf("rtc: legacy kernel %s: %w", name, err)
	}
	return r, nil
}

func newRtc(name string, inputs, outputs []Named, body string) (*Rtc, error) {
	text, signature, err := decorate(name, inputs, outputs, body)
	if err != nil {
		return nil, err
	}
	src, err := legacy.get(name, text, deviceOf(append(inputs[:len(inputs):len(inputs)], outputs...)))
	if err != nil {
		return nil, err
	}
	k, err := src.mod.Kernel(name, signature)
	if err != nil {
		legacy.put(src)
		return nil, err
	}
	return &Rtc{name: name, source: src, kernel: k, inputs: wantedOf(inputs), outputs: wantedOf(outputs)}, nil
}

func deviceOf(arrays []Named) *Device {
	if len(arrays) == 0 {
		return nil
	}
	return arrays[0].Array.mem.dev
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// decorate writes the source around body, and its signature.
func decorate(name string, inputs, outputs []Named, body string) (text, signature string, err error) {
	if !identifier.MatchString(name) {
		return "", "", errors.New("its name is not a C identifier")
	}
	var head, params, consts strings.Builder
	includes := map[string]bool{}
	seen := map[string]bool{}
	add := func(a Named, what string, i int, qualifier string) error {
		if !identifier.MatchString(a.Name) {
			return fmt.Errorf("the name of %s %d, %q, is not a C identifier", what, i, a.Name)
		}
		if seen[a.Name] {
			return fmt.Errorf("two arrays are called %s", a.Name)
		}
		seen[a.Name] = true
		if _, _, err := a.Array.DevicePointer(); err != nil {
			return fmt.Errorf("%s %d (%s): %w", what, i, a.Name, err)
		}
		t, include := cType(a.Array.dtype)
		if include != "" && !includes[include] {
			includes[include] = true
			fmt.Fprintf(&head, "#include <%s>\n", include)
		}
		if params.Len() > 0 {
			params.WriteString(", ")
		}
		fmt.Fprintf(&params, "%s%s *%s", qualifier, t, a.Name)
		dims := []string{}
		for _, n := range a.Array.shape {
			dims = append(dims, strconv.Itoa(n))
		}
		if len(dims) == 0 { // C++ has no empty arrays
			dims = []string{"1"}
		}
		fmt.Fprintf(&consts, "const int %s_ndim = %d; const int %s_dims[] = {%s};\n",
			a.Name, len(a.Array.shape), a.Name, strings.Join(dims, ", "))
		return nil
	}
	for i, a := range inputs {
		if err := add(a, "input", i, "const "); err != nil {
			return "", "", err
		}
	}
	for i, a := range outputs {
		if err := add(a, "output", i, ""); err != nil {
			return "", "", err
		}
	}
	text = fmt.Sprintf("%sextern \"C\" __global__ void %s(%s) {\n%s#line 1 %q\n%s\n}\n",
		&head, name, &params, &consts, name, body)
	return text, params.String(), nil
}

// cType is a C type that needs no header, or the header it needs: NVRTC has no
// <stdint.h>.
func cType(t DType) (name, include string) {
	switch t {
	case Int8:
		return "signed char", ""
	case Int16:
		return "short", ""
	case Int32:
		return "int", ""
	case Int64:
		return "long long", ""
	case Uint8:
		return "unsigned char", ""
	case Uint16:
		return "unsigned short", ""
	case Uint32:
		return "unsigned int", ""
	case Uint64:
		return "unsigned long long", ""
	case Float16:
		return t.CName(), "cuda_fp16.h"
	case BF16:
		return t.CName(), "cuda_bf16.h"
	case Float8E4M3, Float8E5M2:
		return t.CName(), "cuda_fp8.h"
	case Complex64, Complex128:
		return t.CName(), "cuComplex.h"
	}
	return t.CName(), "" // bool, float, double
}

// Push launches the kernel on the arrays' device, with grid blocks of block
// threads, and returns when the launch is in the device's queue. There must be
// as many inputs and outputs as NewRtc had, each of the same type and shape,
// since these are part of the compiled code.
func (r *Rtc) Push(inputs, outputs []*Array, grid, block Dim3) error {
	if err := r.push(inputs, outputs, grid, block); err != nil {
		return fmt.Errorf("rtc: push %s: %w", r.name, err)
	}
	return nil
}

func (r *Rtc) push(inputs, outputs []*Array, grid, block Dim3) error {
	args := make([]any, 0, len(inputs)+len(outputs))
	for _, side := range []struct {
		what string
		want []wanted
		have []*Array
	}{{"input", r.inputs, inputs}, {"output", r.outputs, outputs}} {
		if len(side.have) != len(side.want) {
			return fmt.Errorf("%d %ss given, the kernel has %d", len(side.have), side.what, len(side.want))
		}
		for i, a := range side.have {
			want := side.want[i]
			if a == nil {
				return fmt.Errorf("%s %d (%s) is nil", side.what, i, want.name)
			}
			if a.dtype != want.dtype || !slices.Equal(a.shape, want.shape) {
				return fmt.Errorf("%s %d (%s): %v given, compiled for %v %v", side.what, i, want.name, a, want.dtype, want.shape)
			}
			args = append(args, a)
		}
	}
	if len(args) == 0 {
		return errors.New("a kernel without arrays has no device to run on")
	}
	dev := args[0].(*Array).mem.dev
	if err := dev.use(); err != nil {
		return err
	}
	_, err := r.kernel.enqueue(dev.stream, nil, grid, block, 0, args)
	return err
}

// Close gives back the compiled kernel, which is unloaded with its last user.
func (r *Rtc) Close() error {
	if r == nil {
		return nil
	}
	var err error
	r.closed.Do(func() { err = legacy.put(r.source) })
	return err
}

// legacy shares modules between equal sources.
var legacy = legacySources{modules: map[string]*legacySource{}}

type legacySources struct {
	mu      sync.Mutex
	modules map[string]*legacySource
}

type legacySource struct {
	text  string
	mod   *Module
	users int
	ready sync.Once
	err   error
}

func (l *legacySources) get(name, text string, dev *Device) (*legacySource, error) {
	l.mu.Lock()
	s := l.modules[text]
	if s == nil {
		s = &legacySource{text: text}
		l.modules[text] = s
	}
	s.users++
	l.mu.Unlock()
	s.ready.Do(func() {
		s.mod, s.err = newModule(context.Background(), text, ModuleConfig{Name: name + ".cu", For: dev})
	})
	if s.err != nil {
		l.put(s)
		return nil, s.err
	}
	return s, nil
}

func (l *legacySources) put(s *legacySource) error {
	l.mu.Lock()
	s.users--
	last := s.users == 0
	if last && l.modules[s.text] == s {
		delete(l.modules, s.text)
	}
	l.mu.Unlock()
	if last && s.mod != nil {
		return s.mod.Close()
	}
	return nil
}
