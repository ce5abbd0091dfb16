package abi

// A Kind says how a value of a C type is made.
type Kind uint8

const (
	Void    Kind = iota // no value; only pointers point to it
	Scalar              // one number: DType tells which
	Vector              // CUDA's vector types, packed types and dim3: Lanes numbers
	Pointer             // an address of device memory
	Enum                // enum X: an integer of a size that only the compiled kernel tells
	Struct              // struct X: bytes of which only the compiled kernel tells how many
	Opaque              // X out of a mangled name, which may be an enum, a class or a dependent type
)

// A Type is a C++ type as it stands in a kernel's parameter list. Its name has
// no typedefs beyond those that everybody knows (size_t, cuFloatComplex), no restrict,
// and at the outermost level no const or volatile: none of these changes what is passed.
//
// The zero value is void. Safe for concurrent use after it is made; its fields must
// not change.
type Type struct {
	Kind     Kind
	Name     string // as C++ writes it, without qualifiers; "" for pointers
	Lanes    int    // numbers in a Vector, else 0
	Const    bool   // the pointee, or what it points to, is const
	Volatile bool   // likewise
	Elem     *Type  // what a Pointer points to, else nil

	lp64, llp64 DType // the number, or one lane
	align       int   // in bytes; 0 means Size of the number
	loose       bool  // alignment differs between libraries: the compiled kernel tells
}

// DType returns the type of the number, or of one lane of a vector, under m. It
// is Invalid for other kinds.
func (t *Type) DType(m DataModel) DType {
	if m.resolve() == LLP64 {
		return t.llp64
	}
	return t.lp64
}

// Size returns the size of a value in bytes. It is 0 where only the compiled
// kernel tells: Enum, Struct, Opaque.
func (t *Type) Size(m DataModel) int {
	switch t.Kind {
	case Pointer:
		return 8
	case Vector:
		return t.DType(m).Size() * t.Lanes
	}
	return t.DType(m).Size()
}

// Align returns the alignment of a value in bytes, 0 where Size is. Libraries
// disagree about complex<T>; it is what CUDA's own gives, twice the size of T.
func (t *Type) Align(m DataModel) int {
	size := t.DType(m).Size()
	switch {
	case t.Kind == Pointer:
		return 8
	case t.align != 0:
		return t.align
	case t.Kind != Vector:
		return size
	case t.Lanes == 2 || t.Lanes == 4: // CUDA aligns these as a whole, up to 16 bytes
		return min(size*t.Lanes, 16)
	}
	return size
}

// String returns the type as C++ writes it: "float", "const float *".
func (t *Type) String() string { return t.declare("") }

// declare writes the type followed by the name of what has it.
func (t *Type) declare(name string) string {
	stars := ""
	for t.Kind == Pointer && t.Elem != nil {
		// A pointer that is itself const stands inside another: "float *const *p".
		if q := t.qualifiers(); q != "" && stars+name != "" {
			stars = q + " " + stars
		} else {
			stars = q + stars
		}
		stars = "*" + stars
		t = t.Elem
	}
	s := t.Name
	if t.Kind == Void && s == "" {
		s = "void"
	}
	if q := t.qualifiers(); q != "" {
		s = q + " " + s
	}
	if stars+name == "" {
		return s
	}
	return s + " " + stars + name
}

func (t *Type) qualifiers() string {
	switch {
	case t.Const && t.Volatile:
		return "const volatile"
	case t.Const:
		return "const"
	case t.Volatile:
		return "volatile"
	}
	return ""
}
