package rtc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
)

// A Named is an array and the name that the body of a legacy kernel has for it.
//
// Safe for concurrent use after it is made; its fields must not change.
type Named struct {
	Name  string
	Array *Array
}

// An Rtc is a kernel of the older interface, MXNet's mx.rtc.Rtc: only the body
// is written, the parameters follow from the arrays. [NewRtc] makes one.
//
// Safe for concurrent use. The caller closes it.
type Rtc struct {
	name    string
	inputs  []wanted
	outputs []wanted
	source  *legacySource
	kernel  *Kernel
	closed  atomic.Bool
}

// A wanted array is what Push takes in a place.
type wanted struct {
	name  string
	dtype DType
	shape []int
}

// wantedOf is what the arrays are like.
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
// diagnostics are those of body, in a file called name. The headers of __half,
// __nv_bfloat16, the fp8 types and complex numbers are included where an array
// has such elements. What is compiled is for the device of the first array;
// others get theirs when the kernel is pushed there.
func NewRtc(name string, inputs, outputs []Named, body string) (*Rtc, error) {
	r, err := newRtc(name, inputs, outputs, body)
	if err != nil {
		return nil, failed("legacy kernel", name, err)
	}
	return r, nil
}

func newRtc(name string, inputs, outputs []Named, body string) (*Rtc, error) {
	text, signature, err := decorate(name, inputs, outputs, body)
	if err != nil {
		return nil, err
	}
	if strings.Contains(codeOf(body), "__global__") {
		return nil, errors.New("its body is given alone: what stands in the braces, without the kernel's name and parameters")
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

// Push launches the kernel on the arrays' device, with grid blocks of block
// threads, and returns when the launch is in the device's queue. There must be
// as many inputs and outputs as NewRtc had, each of the same type and shape,
// since these are part of the compiled code.
func (r *Rtc) Push(inputs, outputs []*Array, grid, block Dim3) error {
	switch {
	case r == nil:
		return errors.New("rtc: push: the legacy kernel is nil")
	case r.kernel == nil:
		return fmt.Errorf("rtc: push: %w", unmade("Rtc"))
	}
	if err := r.push(inputs, outputs, grid, block); err != nil {
		return failed("push", r.name, err)
	}
	return nil
}

func (r *Rtc) push(inputs, outputs []*Array, grid, block Dim3) error {
	if r.closed.Load() {
		return ErrClosed
	}
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
			if err := a.use(); err != nil {
				return fmt.Errorf("%s %d (%s): %w", side.what, i, want.name, err)
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
	return r.kernel.enqueue(args[0].(*Array).mem.dev.stream, &size{grid, block, 0}, args)
}

// Close gives back the compiled kernel, which is unloaded with its last user.
// Later calls do nothing. It is safe on nil.
func (r *Rtc) Close() error {
	if r == nil || r.source == nil || r.closed.Swap(true) {
		return nil
	}
	return legacy.put(r.source)
}
