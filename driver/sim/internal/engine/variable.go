package engine

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A variable has a name in a module or function.
type variable struct {
	name    string
	space   ptx.Space
	size    int64
	align   int64
	dynamic bool        // shared memory whose size the launch gives
	alloc   *Allocation // of .global and .const
	offset  int64       // of .shared, .local and .param
	source  *ptx.Variable
}

// declare makes a variable of the module.
func (l *loader) declare(v *ptx.Variable) error {
	nv := &variable{name: v.Name, space: v.Space, size: v.Size(), align: int64(v.Align()), source: v}
	switch v.Space {
	case ptx.SpaceGlobal, ptx.SpaceConst:
		if v.Type.Bytes() == 0 || v.Type == "texref" || v.Type == "samplerref" || v.Type == "surfref" {
			return &UnsupportedError{What: "variable of type ." + string(v.Type), Line: v.Line}
		}
		if v.Linkage == ptx.LinkExtern {
			if have := l.program.globals[v.Name]; have == nil {
				l.program.globals[v.Name] = nv // resolved by its definition, or an error where it is used
			}
			return nil
		}
		if nv.size == 0 {
			return fmt.Errorf("PTX line %d: %s has no size", v.Line, v.Name)
		}
		a, err := l.config.Memory.Alloc(nv.size)
		if err != nil {
			return fmt.Errorf("variable %s of %d bytes: %w", v.Name, nv.size, err)
		}
		a.written = nil // a device zeroes them
		nv.alloc = a
	case ptx.SpaceShared:
		nv.dynamic = v.Linkage == ptx.LinkExtern || nv.size == 0
	default:
		return &UnsupportedError{What: "variable in state space ." + string(v.Space), Line: v.Line}
	}
	l.program.globals[v.Name] = nv
	return nil
}

// initialise writes a variable's first value.
func (l *loader) initialise(v *ptx.Variable) error {
	nv := l.program.globals[v.Name]
	if nv == nil || nv.alloc == nil {
		return fmt.Errorf("PTX line %d: %s can't have an initial value", v.Line, v.Name)
	}
	w := &initialiser{l: l, v: v, data: nv.alloc.Data}
	if err := w.value(v.Init, 0, v.Dims); err != nil {
		return fmt.Errorf("PTX line %d: the initial value of %s: %w", v.Line, v.Name, err)
	}
	return nil
}

// An initialiser writes constants into a variable's bytes.
type initialiser struct {
	l    *loader
	v    *ptx.Variable
	data []byte
}

// value writes x at offset at, which is an element, or an array of dims.
func (w *initialiser) value(x ptx.Operand, at int64, dims []int64) error {
	size := int64(w.v.Type.Bytes())
	if list, ok := x.(*ptx.Vector); ok {
		step, inner := size, []int64(nil)
		if len(dims) > 0 {
			inner = dims[1:]
			step *= int64(max(w.v.Vector, 1))
			for _, d := range inner {
				step *= d
			}
		}
		for i, e := range list.Elems {
			if err := w.value(e, at+int64(i)*step, inner); err != nil {
				return err
			}
		}
		return nil
	}
	bits, err := w.bits(x)
	if err != nil {
		return err
	}
	if at+size > int64(len(w.data)) {
		return fmt.Errorf("it is longer than %d bytes", len(w.data))
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], bits)
	copy(w.data[at:at+size], b[:])
	return nil
}

// bits is a constant as the bits of the variable's type.
func (w *initialiser) bits(x ptx.Operand) (uint64, error) {
	switch x := x.(type) {
	case *ptx.Int:
		switch w.v.Type {
		case "f32":
			return uint64(math.Float32bits(float32(x.Value))), nil
		case "f64":
			return math.Float64bits(float64(x.Value)), nil
		}
		return uint64(x.Value), nil
	case *ptx.Float:
		if w.v.Type.Bytes() == 4 {
			return uint64(math.Float32bits(float32(x.Float64()))), nil
		}
		return math.Float64bits(x.Float64()), nil
	case *ptx.Symbol:
		return w.l.address(x.Name, x.Offset)
	case *ptx.Generic:
		return w.l.address(x.Name, x.Offset)
	case *ptx.Mask:
		v, err := w.bits(x.X)
		if err != nil {
			return 0, err
		}
		m := uint64(x.Mask.Value)
		for m != 0 && m&0xff == 0 {
			m, v = m>>8, v>>8
		}
		return v & 0xff, nil
	}
	return 0, fmt.Errorf("%s is no constant that can stand here", x)
}

// address is the generic address of a variable or function of the module.
func (l *loader) address(name string, offset int64) (uint64, error) {
	if v := l.program.globals[name]; v != nil && v.alloc != nil {
		return v.alloc.Base + uint64(offset), nil
	}
	if f := l.functions[name]; f != nil {
		return f.number, nil
	}
	return 0, fmt.Errorf("%s is neither a variable in memory nor a function of this module", name)
}
