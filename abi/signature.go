package abi

import "strings"

// A Signature is what a kernel expects: its parameters, in order. The zero value
// is a kernel without any. Safe for concurrent use after it is made; its fields must not change.
type Signature struct {
	Params []Param
}

// A Param is one parameter of a kernel.
// Safe for concurrent use after it is made; its fields must not change.
type Param struct {
	Name string // "" where the signature gives none
	Type Type
}

// String returns the parameter as C++ declares it: "const float *x".
func (p *Param) String() string { return p.Type.declare(p.Name) }

// ReadOnly reports whether the parameter points to something that the kernel
// promises not to change, by const.
func (p *Param) ReadOnly() bool {
	return p.Type.Kind == Pointer && p.Type.Elem.Const
}

// Reads returns the indices of the pointers to const: memory the kernel only reads.
func (s Signature) Reads() []int { return s.pointers(true) }

// Writes returns the indices of the pointers to what is not const: memory the kernel
// may write, and may read as well.
func (s Signature) Writes() []int { return s.pointers(false) }

func (s Signature) pointers(readOnly bool) []int {
	var found []int
	for i := range s.Params {
		if p := &s.Params[i]; p.Type.Kind == Pointer && p.ReadOnly() == readOnly {
			found = append(found, i)
		}
	}
	return found
}

// String returns the signature in one canonical spelling, "void" for no parameter.
// ParseSignature reads it back as the same signature, unless it came from a mangled
// name and has types that ParseSignature does not know.
func (s Signature) String() string {
	if len(s.Params) == 0 {
		return "void"
	}
	var b strings.Builder
	for i := range s.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s.Params[i].String())
	}
	return b.String()
}
