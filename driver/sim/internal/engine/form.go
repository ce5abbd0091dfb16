package engine

import (
	"sort"

	"github.com/purecuda/purecuda/abi/ptx"
)

//go:generate go run ./mkforms

// A form is an instruction form of forms.txt: what does it, and how it looks at its registers, the destination first.
type form struct {
	name  string
	fn    func(w *warp, o *op)
	kinds []kind
}

// formOf is the form of that name, nil if there is none.
func formOf(name string) *form {
	i := sort.Search(len(formTable), func(i int) bool { return formTable[i].name >= name })
	if i == len(formTable) || formTable[i].name != name {
		return nil
	}
	return &formTable[i]
}

// tabled decodes an instruction of the table.
func (d *decoder) tabled(in *ptx.Instruction) error {
	f := formOf(in.Form())
	if f == nil {
		return d.unsupported()
	}
	if len(in.Operands) != len(f.kinds) {
		return d.errorf("%d operands instead of %d", len(in.Operands), len(f.kinds))
	}
	return d.apply(f, in.Operands)
}

// apply emits the operation of a form on operands.
func (d *decoder) apply(f *form, operands []ptx.Operand) error {
	o := op{fn: f.fn}
	for i, at := range []*int32{&o.a, &o.b, &o.c, &o.e}[:len(f.kinds)-1] {
		r, err := d.source(operands[i+1], f.kinds[i+1])
		if err != nil {
			return err
		}
		*at = r.slot
	}
	r, err := d.dest(operands[0], f.kinds[0])
	if err != nil {
		return err
	}
	o.d = r.slot
	d.emit(o)
	return nil
}
