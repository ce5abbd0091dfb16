package ptx

import "strconv"

// Unsized is the dimension of an array whose size the text leaves open, as in ".extern .shared .b8 s[]".
const Unsized = -1

// A Variable declares a variable, register or range of registers, at the top level or in a function.
// A declaration of several names is one Variable each. See the PTX ISA manual, "State Spaces, Types, and Variables".
// Safe for concurrent use after it is made; its fields must not change.
type Variable struct {
	Linkage    Linkage
	Space      Space
	Attributes []Attribute
	Alignment  int // in bytes, as written; 0 where the text doesn't say: see Align
	Vector     int // 2, 4 or 8 elements; 0 for a scalar
	Type       Type
	Name       string
	Range      bool    // the registers Name0 to Name(Count-1), written %r<Count>
	Count      int     // of a range
	Dims       []int64 // of an array, outermost first; Unsized where left open
	Init       Operand // nil, or a constant: [*Int], [*Float], [*Symbol], [*Generic], [*Mask], [*Field] or a [*Vector] of these
	Line       int
}

// An Attribute is what ".attribute" adds to a variable or function: "managed", or "unified" with two numbers.
// Safe for concurrent use after it is made; its fields must not change.
type Attribute struct {
	Name string
	Args []uint64
}

// Pos returns Line.
func (v *Variable) Pos() int { return v.Line }

// Size is the size in bytes: of all elements of an array, of all registers of a range. It is 0 where a dimension is left open
// and for predicates.
func (v *Variable) Size() int64 {
	n, _ := byteSize(v.Type, v.Vector, v.Dims)
	if v.Range {
		n *= int64(v.Count)
	}
	return n
}

// Align is the alignment in bytes: the one written, else the natural one of the type.
func (v *Variable) Align() int { return alignment(v.Alignment, v.Type, v.Vector) }

// Names calls yield with each register that a range declares, or with the one name of any other declaration.
func (v *Variable) Names(yield func(string) bool) {
	if !v.Range {
		yield(v.Name)
		return
	}
	for i := range v.Count {
		if !yield(v.Name + strconv.Itoa(i)) {
			return
		}
	}
}

// byteSize returns false where the size is above MaxBytes.
func byteSize(t Type, vector int, dims []int64) (int64, bool) {
	n := int64(t.Bytes()) * int64(max(vector, 1))
	for _, d := range dims {
		if d < 0 {
			d = 0
		}
		if d > MaxBytes || n > 0 && d > MaxBytes/n {
			return 0, false
		}
		n *= d
	}
	return n, true
}

func alignment(written int, t Type, vector int) int {
	if written > 0 {
		return written
	}
	return max(t.Bytes()*max(vector, 1), 1)
}
