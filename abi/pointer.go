package abi

import "fmt"

// An Addr is an address of device memory, for what is no array of this library:
// memory of another one, or the middle of an array. Nothing about the memory is
// checked. Addr(0) is the null pointer.
type Addr uint64

// A DevicePointer is an argument for a pointer parameter: an array on the
// device. Its elements must fit what the parameter points to, as Accepts says; elem Invalid
// fits everything. An error refuses the argument and can be had from the
// *ArgumentError by errors.As and errors.Is. A nil of the implementing type is asked as well.
// Safe for concurrent use.
type DevicePointer interface {
	DevicePointer() (addr uint64, elem DType, err error)
}

// Accepts reports whether an array of elem may be passed to a pointer to t on the
// machine on which the program runs:
//
//   - void, structs and types known by name only take any array, enums one of integers;
//   - a number takes its own type: long as wide as it is here, char also
//     uint8, and one-byte unsigned numbers also bool, but bool itself only bool;
//   - a vector and a complex number take an array of their lanes (float4 takes float32), and
//     two floats take complex64, two doubles complex128;
//   - a pointer takes an array of uint64, which are addresses.
func (t *Type) Accepts(elem DType) bool {
	if elem == Invalid {
		return true
	}
	if !elem.Valid() {
		return false
	}
	want := t.DType(Host)
	switch t.Kind {
	case Void, Struct, Opaque:
		return true
	case Enum:
		return dtypes[elem].class == classInt || dtypes[elem].class == classUint
	case Pointer:
		return elem == Uint64
	case Vector:
		return elem == want || t.Lanes == 2 && (want == Float32 && elem == Complex64 || want == Float64 && elem == Complex128)
	}
	switch {
	case elem == want:
		return true
	case want == Int8:
		return t.Name == "char" && elem == Uint8
	case want == Uint8:
		return elem == Bool
	case want == Complex64:
		return elem == Float32
	case want == Complex128:
		return elem == Float64
	}
	return false
}

// pointee is what a pointer parameter asks of an array, worked out once.
type pointee struct {
	accepts uint32 // a bit for each DType
	low     uint32 // bits of the address that must be 0
}

func newPointee(elem *Type) pointee {
	var p pointee
	for d := Invalid; int(d) < len(dtypes); d++ {
		if elem.Accepts(d) {
			p.accepts |= 1 << d
		}
	}
	if align := elem.Align(Host); align > 1 && !elem.loose {
		p.low = uint32(align - 1)
	}
	return p
}

// fits reports whether an array of elem at addr will do.
func (p pointee) fits(addr uint64, elem DType) bool {
	return p.accepts&(1<<elem) != 0 && addr&uint64(p.low) == 0
}

// setArray asks an array for its address and stores it in argument i.
func (b *Buffer) setArray(i int, p DevicePointer) error {
	a := &b.args[i]
	if a.op != opPointer {
		return b.fail(i, p, whyKind)
	}
	addr, elem, err := p.DevicePointer()
	if err == nil && a.points.fits(addr, elem) {
		a.put(addr)
		return nil
	}
	e := b.refused(i, p)
	if e.Err = err; err != nil {
		e.Msg = err.Error()
	} else {
		e.Msg = b.unfit(i, addr, elem)
	}
	return e
}

// unfit says why an array is not what argument i points to.
func (b *Buffer) unfit(i int, addr uint64, elem DType) string {
	p := b.args[i].points
	if p.accepts&(1<<elem) == 0 {
		return fmt.Sprintf("the array's elements are %s", elem)
	}
	return fmt.Sprintf("the array starts at %#x, which is no multiple of %d, as %s needs", addr, p.low+1, b.sig.Params[i].Type.Elem)
}
