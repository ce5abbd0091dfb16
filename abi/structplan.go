package abi

import (
	"fmt"
	"reflect"
	"structs"
	"sync"
	"unsafe"
)

// A structPlan says how a Go struct or array is laid out by C's rules, and which
// bytes of it go where.
type structPlan struct {
	size, align int
	runs        []run
	uniform     DType // the type of all numbers, Invalid where they differ
	numbers     int
	complex     int   // size of the largest complex number, or 0
	err         error // why the type can't be packed
}

// A packing is what an argument keeps of the type that was set last.
type packing struct {
	goType  reflect.Type
	plan    *structPlan   // how to pack that type
	scratch reflect.Value // a variable of that type
}

// A run is a piece of memory that is copied as it is.
type run struct{ src, dst, n int }

// plans caches a *structPlan for each reflect.Type.
var plans sync.Map

func planFor(t reflect.Type) *structPlan {
	if p, ok := plans.Load(t); ok {
		return p.(*structPlan)
	}
	p := &structPlan{align: 1}
	p.size, p.align, p.err = p.add(t, "", 0, 0)
	stored, _ := plans.LoadOrStore(t, p)
	return stored.(*structPlan)
}

// add places a value of type t, which the error calls path, that starts at src in
// Go's memory and at dst in C's. It returns C's size and alignment of t.
func (p *structPlan) add(t reflect.Type, path string, src, dst int) (size, align int, err error) {
	if d := DTypeOfType(t); d != Invalid {
		return p.addNumber(t, d, path, src, dst)
	}
	switch t.Kind() {
	case reflect.Struct:
		return p.addStruct(t, path, src, dst)
	case reflect.Array:
		elem := t.Elem()
		if t.Len() == 0 {
			return 0, 1, refuse(path, "%v has no size in Go, and no fixed one in C++", t)
		}
		// The elements' plan, moved along, is cheaper than adding each by itself.
		one := &structPlan{}
		if size, align, err = one.add(elem, path+"[0]", src, dst); err != nil {
			return 0, 1, err
		}
		for i := range t.Len() {
			for _, r := range one.runs {
				p.copy(i*int(elem.Size())+r.src, i*size+r.dst, r.n)
			}
		}
		p.count(one.uniform, one.numbers*t.Len())
		p.complex = max(p.complex, one.complex)
		return size * t.Len(), align, nil
	case reflect.Pointer, reflect.UnsafePointer:
		return 0, 1, refuse(path, "%v is host memory, which the device can't read; use abi.Addr", t)
	case reflect.String, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface:
		return 0, 1, refuse(path, "%v has no counterpart in C++", t)
	}
	return 0, 1, refuse(path, "%v can't be passed", t)
}

func (p *structPlan) addNumber(t reflect.Type, d DType, path string, src, dst int) (size, align int, err error) {
	switch t.Kind() {
	case reflect.Int, reflect.Uint:
		return 0, 1, refuse(path, "the size of %v depends on the platform; use a sized type such as %[1]v32", t)
	case reflect.Uintptr:
		return 0, 1, refuse(path, "the size of uintptr depends on the platform; use abi.Addr or uint64")
	}
	size, align = d.Size(), d.Size()
	if dtypes[d].class == classComplex {
		// C++ libraries align complex numbers to one part, or to both.
		if dst%size != 0 {
			return 0, 1, refuse(path, "a %v at byte %d, where C++ libraries differ about its alignment; use two floats, or padding to a multiple of %d", t, dst, size)
		}
		align = size / 2
		p.complex = max(p.complex, size)
	}
	p.copy(src, dst, size)
	p.count(d, 1)
	return size, align, nil
}

func (p *structPlan) addStruct(t reflect.Type, path string, src, dst int) (size, align int, err error) {
	align = 1
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Type == reflect.TypeFor[structs.HostLayout]() {
			continue
		}
		// Its alignment must be known before it can be placed.
		probe := &structPlan{}
		name := f.Name
		if path != "" {
			name = path + "." + name
		}
		fieldSize, fieldAlign, err := probe.add(f.Type, name, 0, 0)
		if err != nil {
			return 0, 1, err
		}
		size = roundUp(size, fieldAlign)
		if f.Name == "_" { // padding: stays zero
			p.uniform, p.numbers = Invalid, p.numbers+1
		} else if _, _, err := p.add(f.Type, name, src+int(f.Offset), dst+size); err != nil {
			return 0, 1, err
		}
		size += fieldSize
		align = max(align, fieldAlign)
	}
	size = roundUp(size, align)
	switch {
	case path == "":
	case size == 0:
		return 0, 1, refuse(path, "%v has no size in Go, and one byte in C++", t)
	case p.complex > 0 && size%p.complex != 0:
		return 0, 1, refuse(path, "%v has %d bytes, or more where C++ libraries align its complex numbers otherwise; pad it to a multiple of %d", t, size, p.complex)
	}
	return size, align, nil
}

// copy adds a run, to the one before if they touch.
func (p *structPlan) copy(src, dst, n int) {
	if last := len(p.runs) - 1; last >= 0 {
		if r := &p.runs[last]; r.src+r.n == src && r.dst+r.n == dst {
			r.n += n
			return
		}
	}
	p.runs = append(p.runs, run{src, dst, n})
}

func (p *structPlan) count(d DType, n int) {
	if p.numbers == 0 {
		p.uniform = d
	} else if p.uniform != d {
		p.uniform = Invalid
	}
	p.numbers += n
}

func refuse(path, format string, args ...any) error {
	msg := fmt.Sprintf(format, args...)
	if path != "" {
		msg = "field " + path + ": " + msg
	}
	return fmt.Errorf("%s", msg)
}

// setStruct packs a Go struct or array.
func (a *arg) setStruct(v reflect.Value) reason {
	if a.op != opBytes {
		return whyKind
	}
	if t := v.Type(); a.last == nil || t != a.last.goType {
		plan := planFor(t)
		if plan.err != nil || a.misfit(plan) != "" {
			return whyPlan
		}
		a.last = &packing{t, plan, reflect.New(t).Elem()}
	}
	p := a.last
	clear(a.dst)
	if p.plan.size == 0 {
		return accepted // an empty class: one byte, of no meaning
	}
	// The value inside an interface can't be addressed; its copy in scratch can.
	p.scratch.Set(v)
	// The plan has accepted the type, so that it has no pointers, and its runs
	// lie within the type's size.
	src := unsafe.Slice((*byte)(p.scratch.Addr().UnsafePointer()), int(p.goType.Size()))
	for _, r := range p.plan.runs {
		copy(a.dst[r.dst:r.dst+r.n], src[r.src:r.src+r.n])
	}
	return accepted
}

// misfit says why a value of that plan is not what the parameter takes, "" if it is.
func (a *arg) misfit(p *structPlan) string {
	if a.kind == Vector {
		if lanes := a.size / a.dtype.Size(); p.uniform != a.dtype || p.numbers != lanes {
			return fmt.Sprintf("a vector takes an array, or a struct, of exactly its %d numbers of type %s", lanes, a.dtype)
		}
		return ""
	}
	switch {
	case p.size == a.size && a.align != 0 && a.align < p.align:
		return fmt.Sprintf("it is aligned to %d by C's rules, but the compiled kernel's type only to %d: its fields are smaller, or it is packed (then use arrays of bytes, or abi.Raw)", p.align, a.align)
	case p.size == a.size, p.size == 0 && a.size == 1:
		return ""
	case p.size > 0 && p.size < a.align && a.size == a.align:
		// Tail padding of an aligned struct. Were it larger, a member of it might be what
		// is aligned (a float4 after a float), with padding before it.
		return ""
	}
	return fmt.Sprintf("it has %s by C's rules, but the compiled kernel takes %d (aligned to %d); Go has no alignment beyond the natural one, so write the padding as fields: _ [n]byte", counted(p.size, "byte"), a.size, a.align)
}
