package ptx

import "strconv"

func (w *writer) operands(list []Operand, separator string) *writer {
	for i, x := range list {
		if i > 0 {
			w.s(separator)
		}
		w.operand(x)
	}
	return w
}

// operand writes one operand.
func (w *writer) operand(x Operand) *writer {
	switch x := x.(type) {
	case *Register:
		w.s(x.Name).component(x.Component)
	case *Special:
		w.s(x.Name).component(x.Component)
	case *Int:
		if x.Text == "" {
			return w.int(x.Value)
		}
		w.s(x.Text)
	case *Float:
		w.float(x)
	case *Symbol:
		w.s(x.Name).plus(x.Offset)
	case *Element:
		w.s(x.Name).s("[").int(x.Index).s("]")
	case *Address:
		w.s("[").operand(x.Base)
		if x.Written && x.Offset == 0 {
			w.s("+0")
		}
		w.plus(x.Offset)
		for _, c := range x.Coords {
			w.s(", ").operand(c)
		}
		w.s("]")
	case *Vector:
		w.s("{").operands(x.Elems, ", ").s("}")
	case *Pair:
		w.operand(x.First).s("|").operand(x.Second)
	case *Not:
		w.s("!").operand(x.X)
	case *Neg:
		w.s("-").operand(x.X)
	case *Sink:
		w.s("_")
	case *List:
		w.s("(").operands(x.Elems, ", ").s(")")
	case *Generic:
		w.s("generic(").s(x.Name).s(")").plus(x.Offset)
	case *Mask:
		w.operand(x.Mask).s("(").operand(x.X).s(")")
	case *Field:
		w.s(x.Name).s(" = ").operand(x.Value)
	case *Difference:
		w.s(x.X).s("-").s(x.Y)
	}
	return w
}

func (w *writer) component(c string) {
	if c != "" {
		w.s(".").s(c)
	}
}

func (w *writer) plus(offset int64) *writer {
	if offset != 0 {
		w.s("+").int(offset)
	}
	return w
}

func (w *writer) float(f *Float) {
	if f.Text != "" {
		w.s(f.Text)
		return
	}
	digits, prefix := 16, "0d"
	if f.Single {
		digits, prefix = 8, "0f"
	}
	w.s(prefix)
	at := len(w.b)
	w.b = strconv.AppendUint(w.b, f.Bits, 16)
	for n := len(w.b) - at; n < digits; n++ {
		w.b = append(w.b, 0)
		copy(w.b[at+1:], w.b[at:])
		w.b[at] = '0'
	}
	for i := at; i < len(w.b); i++ {
		if c := w.b[i]; c >= 'a' {
			w.b[i] = c - 'a' + 'A'
		}
	}
}

func operandString(x Operand) string {
	var w writer
	return string(w.operand(x).b)
}

// String is the operand as PTX.
func (x *Register) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Special) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Int) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Float) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Symbol) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Element) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Address) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Vector) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Pair) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Not) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Neg) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Sink) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *List) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Generic) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Mask) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Field) String() string { return operandString(x) }

// String is the operand as PTX.
func (x *Difference) String() string { return operandString(x) }

// String is the instruction as PTX, with its semicolon.
func (in *Instruction) String() string {
	var w writer
	return string(w.instruction(in).b)
}
