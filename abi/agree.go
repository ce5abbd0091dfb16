package abi

import (
	"fmt"
	"strings"
)

// CheckMangled holds the signature against the types in the kernel's lowered
// name, as FromMangled reads it: a double where the name has float, or const where it has none, is a
// *LayoutError, which names the kernel as name. m is the model of the machine that
// compiled it. What the name does not tell for sure fits:
//
//   - a name without a parameter list fits every signature;
//   - types of the program's own, dependent types, references and functions fit everything,
//     but a struct is no pointer;
//   - integers of one size fit each other;
//   - void * and char * fit pointers to anything;
//   - behind a pointer a vector and a complex number fit their lanes, and vectors of
//     integers in the name fit everything;
//   - __half, __nv_bfloat16 and the fp8 types fit integers of their size, which have their bits;
//   - an address may be an unsigned number of 8 bytes, but no size_t in the signature.
//
// const may be missing: the kernel is then ordered as one that writes.
func (s Signature) CheckMangled(name, lowered string, m DataModel) error {
	read := mangled{name: lowered, lenient: true}
	if read.read() != nil {
		return nil
	}
	have := read.sig.Params
	if len(have) != len(s.Params) {
		return &LayoutError{Kernel: name, Index: -1,
			Msg: fmt.Sprintf("signature %q has %s, the compiled kernel takes %d: %q", s.String(), counted(len(s.Params), "parameter"), len(have), read.sig.String())}
	}
	for i := range have {
		p := &s.Params[i]
		if msg := p.Type.disagrees(&have[i].Type, m); msg != "" {
			return &LayoutError{Kernel: name, Index: i, Name: p.Name, Msg: msg}
		}
	}
	return nil
}

// disagrees says in what a parameter's type can't be what the name has, else "".
func (t *Type) disagrees(have *Type, m DataModel) string {
	hint := ""
	switch pointers := t.Kind == Pointer && have.Kind == Pointer; {
	case pointers && t.Elem.Const && have.Elem.notConst():
		hint = "; const says that the kernel only reads what is there"
	case pointers && !t.Elem.sameMemory(have.Elem, m):
		hint = "; void * takes an array of any type"
	case !pointers && !t.sameValue(have, m):
		if have.Kind == Pointer {
			hint = "; an address that is a number is a CUdeviceptr"
		}
	default:
		return ""
	}
	return fmt.Sprintf("signature says %s, the compiled kernel takes %s%s", t, have, hint)
}

// notConst reports whether the type is surely not const. A nested one, out of a
// template, may be another name of one that is.
func (t *Type) notConst() bool {
	return !t.Const && !(t.Kind == Opaque && strings.ContainsAny(t.Name, ":("))
}

// sameValue reports whether a value of t may be what the kernel takes as have.
// Of the two at most one is a pointer.
func (t *Type) sameValue(have *Type, m DataModel) bool {
	switch {
	case have.ownType():
		return true
	case t.Kind == Pointer:
		return have.DType(m) == Uint64
	case have.Kind == Pointer:
		return addressNames[t.Name]
	case t.Kind == Enum:
		return have.Kind == Scalar && have.lanes(m).integer()
	case t.ownType():
		return true
	}
	a, b := t.lanes(Host), have.lanes(m)
	switch {
	case a.Size()*a.count != b.Size()*b.count:
		return false
	case a.DType == b.DType, a.integer() && b.integer():
		return true
	}
	return a.bitsOf(b) || b.bitsOf(a)
}

// sameMemory reports whether memory of t may be what the kernel takes as memory
// of have.
func (t *Type) sameMemory(have *Type, m DataModel) bool {
	if t.Kind == Void || have.Kind == Void || t.Name == "char" || have.Name == "char" {
		return true
	}
	if t.Kind == Enum && have.Kind == Scalar {
		return have.lanes(m).integer()
	}
	if t.ownType() || have.ownType() {
		return true
	}
	switch a, b := t.Kind == Pointer, have.Kind == Pointer; {
	case a && b:
		return t.Elem.sameMemory(have.Elem, m)
	case a:
		return have.lanes(m).integer() && have.Size(m) == 8
	case b:
		return t.lanes(Host).integer() && t.Size(Host) == 8
	}
	a, b := t.lanes(Host), have.lanes(m)
	switch {
	case a.DType == b.DType, have.Kind == Vector && b.integer():
		return true
	case a.Size() != b.Size():
		return false
	}
	return a.integer() && (b.integer() || b.small()) || a.small() && b.integer()
}

// ownType reports whether the type is one of the program's, of which the name
// alone is known.
func (t *Type) ownType() bool { return t.Kind == Struct || t.Kind == Enum || t.Kind == Opaque }

// addressNames are the numbers that a signature may give for a pointer. A size_t
// or a texture there is a mistake.
var addressNames = map[string]bool{
	"unsigned long": true, "unsigned long long": true, "uint64_t": true, "uintptr_t": true, "intptr_t": true, "CUdeviceptr": true,
}

// lanes are what a scalar, a vector or a complex number is made of.
type lanes struct {
	DType
	count int
}

func (t *Type) lanes(m DataModel) lanes {
	n := lanes{t.DType(m), max(t.Lanes, 1)}
	switch n.DType {
	case Complex64:
		return lanes{Float32, 2}
	case Complex128:
		return lanes{Float64, 2}
	}
	return n
}

func (n lanes) integer() bool {
	switch dtypes[n.DType].class {
	case classBool, classInt, classUint:
		return true
	}
	return false
}

// small reports whether they are of the floats that C has no type for.
func (n lanes) small() bool { return dtypes[n.DType].class == classFloat && n.Size() < 4 }

// bitsOf reports whether n is one integer that may hold the bits of f.
func (n lanes) bitsOf(f lanes) bool { return n.integer() && n.count == 1 && f.small() }
