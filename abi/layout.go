package abi

import "fmt"

// MaxParamBytes is the most that CUDA takes as parameters: 32,764 bytes from CUDA 12.1 on
// compute capability 7.0 and later, 4,096 before. NVIDIA: CUDA C++ Programming Guide, "Function Parameters".
const MaxParamBytes = 32764

// A Slot is the place of one parameter among the bytes that a launch passes.
// Safe for concurrent use after it is made; its fields must not change.
type Slot struct {
	Offset int // in bytes, from the start of all parameters
	Size   int // in bytes
	Align  int // in bytes, a power of two; 0 where it is not known, as from cuFuncGetParamInfo
}

// A Number says what kind of number a compiled kernel takes in a Slot, as far as
// PTX tells. The zero value is UnknownNumber.
type Number uint8

const (
	UnknownNumber  Number = iota // a vector, a structure, or not told
	IntegerNumber                // .u32 and its like: integers, bool, enums, pointers
	FloatingNumber               // .f32, .f64
)

// contradicts reports whether the type can't be what the compiled kernel takes.
func (t *Type) contradicts(n Number) bool {
	switch t.Kind {
	case Scalar:
		d := t.DType(Host)
		float := d == Float32 || d == Float64
		switch dtypes[d].class {
		case classFloat:
			return float && n == IntegerNumber // the smaller floats are structures
		case classInt, classUint, classBool:
			return n == FloatingNumber
		}
	case Pointer, Enum:
		return n == FloatingNumber
	}
	return false
}

// CheckNumbers holds the signature against the kinds of numbers that the
// compiled kernel takes: a float of one is no int of the other, though they have
// one size. What is not told fits. The difference is a *LayoutError, which names
// the kernel as name.
func (s Signature) CheckNumbers(name string, numbers []Number) error {
	for i := range min(len(numbers), len(s.Params)) {
		p := &s.Params[i]
		if p.Type.contradicts(numbers[i]) {
			return &LayoutError{Kernel: name, Index: i, Name: p.Name,
				Msg: fmt.Sprintf("signature says %s, the compiled kernel takes %s", &p.Type, numberText[numbers[i]])}
		}
	}
	return nil
}

var numberText = [...]string{IntegerNumber: "an integer or a pointer", FloatingNumber: "a floating-point number"}

// Layout places the parameters by C's rules: each at the next multiple of its
// alignment. It is a *LayoutError where only the compiled kernel knows a size (struct,
// enum, a type out of a mangled name), or where the whole is over MaxParamBytes.
func (s Signature) Layout(m DataModel) ([]Slot, error) {
	slots := make([]Slot, len(s.Params))
	end := 0
	for i := range s.Params {
		p := &s.Params[i]
		size := p.Type.Size(m)
		if size == 0 {
			return nil, &LayoutError{Index: i, Name: p.Name, Msg: fmt.Sprintf("only the compiled kernel tells the size of %s", &p.Type)}
		}
		align := p.Type.Align(m)
		offset := roundUp(end, align)
		slots[i] = Slot{Offset: offset, Size: size, Align: align}
		end = offset + size
	}
	if end > MaxParamBytes {
		return nil, &LayoutError{Index: -1, Msg: fmt.Sprintf("%d bytes of parameters, of at most %d", end, MaxParamBytes)}
	}
	return slots, nil
}

// Check holds the signature against the parameters of the compiled kernel, as its
// PTX or cuFuncGetParamInfo tells them: their count, and the size and offset of each. The
// difference is a *LayoutError, which names the kernel as name.
func (s Signature) Check(name string, slots []Slot) error {
	fail := func(i int, format string, args ...any) error {
		e := &LayoutError{Kernel: name, Index: i, Msg: fmt.Sprintf(format, args...)}
		if i >= 0 {
			e.Name = s.Params[i].Name
		}
		return e
	}
	if len(slots) != len(s.Params) {
		return fail(-1, "signature %q has %s, the compiled kernel takes %d", s.String(), counted(len(s.Params), "parameter"), len(slots))
	}
	end := 0
	for i, slot := range slots {
		t := &s.Params[i].Type
		size := t.Size(Host)
		switch {
		case slot.Size <= 0 || slot.Offset < end || slot.Align < 0 || slot.Align&(slot.Align-1) != 0:
			return fail(i, "the compiled kernel's own layout is impossible: %d bytes at byte %d, aligned to %d, after byte %d", slot.Size, slot.Offset, slot.Align, end)
		case size != 0 && size != slot.Size:
			return fail(i, "signature says %s (%s), the compiled kernel takes %s", t, counted(size, "byte"), counted(slot.Size, "byte"))
		case t.Kind == Enum && !isIntegerSize(slot.Size):
			return fail(i, "signature says %s, the compiled kernel takes %d bytes, which no enum has", t, slot.Size)
		}
		align := slot.Align
		if size != 0 && !t.loose {
			align = t.Align(Host)
		}
		if want := roundUp(end, align); align != 0 && slot.Offset != want {
			return fail(i, "signature says %s (aligned to %d, so at byte %d), the compiled kernel takes it at byte %d", t, align, want, slot.Offset)
		}
		end = slot.Offset + slot.Size
	}
	if end > MaxParamBytes {
		return fail(-1, "%d bytes of parameters, of at most %d", end, MaxParamBytes)
	}
	return nil
}

func isIntegerSize(n int) bool { return n == 1 || n == 2 || n == 4 || n == 8 }

// roundUp returns the next multiple of align, a power of two, from n on.
func roundUp(n, align int) int {
	if align <= 1 {
		return n
	}
	return (n + align - 1) &^ (align - 1)
}
