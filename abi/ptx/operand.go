package ptx

import "math"

// An Operand is what an instruction works on, or a constant in an initialiser. Its concrete types are pointers to the types
// of this file. String is how it is printed. See the PTX ISA manual, "Instruction Operands" and "Constants".
// Safe for concurrent use after it is made; its fields must not change.
type Operand interface {
	operand()
	String() string
}

type (
	// A Register is a register of the program. Component is the part that a suffix picks, "x" in %v.x or "b0" in the video
	// instructions, else "".
	// Safe for concurrent use after it is made; its fields must not change.
	Register struct{ Name, Component string }

	// A Special is a special register, such as %tid with Component "x", or the constant WARP_SZ.
	// Safe for concurrent use after it is made; its fields must not change.
	Special struct{ Name, Component string }

	// An Int is an integer. Text is its exact spelling, with base and suffix U; where it is "", Value is printed.
	// Value has the 64 bits of it: uint64(Value) is the value of a literal that is too large for int64. A constant expression is
	// worked out and becomes an Int or Float.
	// Safe for concurrent use after it is made; its fields must not change.
	Int struct {
		Text  string
		Value int64
	}

	// A Float is a floating-point number: Bits holds a float32 where Single, else a float64. Text is its exact spelling; where
	// it is "", Bits is printed. A spelling such as ".5" becomes "0.5". Only the spelling 0f is Single: a decimal number is a float64, whatever takes it.
	// Safe for concurrent use after it is made; its fields must not change.
	Float struct {
		Text   string
		Bits   uint64
		Single bool
	}

	// A Symbol is the address of a variable or function plus Offset bytes, or a label.
	// Safe for concurrent use after it is made; its fields must not change.
	Symbol struct {
		Name   string
		Offset int64
	}

	// An Element is an element of an array by its index: a[1].
	// Safe for concurrent use after it is made; its fields must not change.
	Element struct {
		Name  string
		Index int64
	}

	// An Address is memory at Base plus Offset bytes: [%rd1+4], [param_0], [64]. Base is a [*Register], [*Symbol] (whose own Offset
	// is 0), [*Element] or [*Int]; Coords is what follows it inside the brackets: sampler and coordinates of a texture,
	// coordinates of a tensor.
	//
	// Written is whether the text has an offset: it may be +0, which ptxas -O0 makes an addition of. An Offset other than 0 is printed
	// in any case.
	// Safe for concurrent use after it is made; its fields must not change.
	Address struct {
		Base    Operand
		Offset  int64
		Written bool
		Coords  []Operand
	}

	// A Vector is {a, b, c, d}, in an initialiser also nested.
	// Safe for concurrent use after it is made; its fields must not change.
	Vector struct{ Elems []Operand }

	// A Pair is First|Second: a destination and the predicate set beside it.
	// Safe for concurrent use after it is made; its fields must not change.
	Pair struct{ First, Second Operand }

	// A Not is !X: a negated predicate.
	// Safe for concurrent use after it is made; its fields must not change.
	Not struct{ X Operand }

	// A Neg is -X for a register X, as the video instructions have it. A negative number is an [*Int] or [*Float].
	// Safe for concurrent use after it is made; its fields must not change.
	Neg struct{ X Operand }

	// A Sink is the operand _, which takes a result nobody wants.
	// Safe for concurrent use after it is made; its fields must not change.
	Sink struct{}

	// A List is (a, b): arguments or results of a call.
	// Safe for concurrent use after it is made; its fields must not change.
	List struct{ Elems []Operand }

	// A Generic is generic(X): the generic address of a variable, in an initialiser.
	// Safe for concurrent use after it is made; its fields must not change.
	Generic struct {
		Name   string
		Offset int64
	}

	// A Mask is 0xff00(X): the masked byte of an address, in an initialiser.
	// Safe for concurrent use after it is made; its fields must not change.
	Mask struct {
		Mask *Int
		X    Operand
	}

	// A Field is Name = Value in the initialiser of a sampler or texture.
	// Safe for concurrent use after it is made; its fields must not change.
	Field struct {
		Name  string
		Value Operand
	}

	// A Difference is X-Y, the distance of two labels, in a debug section.
	// Safe for concurrent use after it is made; its fields must not change.
	Difference struct{ X, Y string }
)

func (*Register) operand()   {}
func (*Special) operand()    {}
func (*Int) operand()        {}
func (*Float) operand()      {}
func (*Symbol) operand()     {}
func (*Element) operand()    {}
func (*Address) operand()    {}
func (*Vector) operand()     {}
func (*Pair) operand()       {}
func (*Not) operand()        {}
func (*Neg) operand()        {}
func (*Sink) operand()       {}
func (*List) operand()       {}
func (*Generic) operand()    {}
func (*Mask) operand()       {}
func (*Field) operand()      {}
func (*Difference) operand() {}

// Float64 is the number, widened where it is single.
func (f *Float) Float64() float64 {
	if f.Single {
		return float64(math.Float32frombits(uint32(f.Bits)))
	}
	return math.Float64frombits(f.Bits)
}
