package engine

import "github.com/purecuda/purecuda/abi/ptx"

func (d *decoder) bra(in *ptx.Instruction) error { return d.branch(in, -1, 0) }
func (d *decoder) ret(*ptx.Instruction) error    { d.emit(op{fn: ret}); return nil }
func (d *decoder) exit(*ptx.Instruction) error   { d.emit(op{fn: exit}); return nil }

// branch decodes bra, guarded or not.
func (d *decoder) branch(in *ptx.Instruction, guard int32, not uint32) error {
	if len(in.Operands) != 1 {
		return d.unsupported()
	}
	s, ok := in.Operands[0].(*ptx.Symbol)
	if !ok {
		return d.errorf("%s is no label", in.Operands[0])
	}
	l, err := d.label(s.Name)
	if err != nil {
		return err
	}
	d.fixes = append(d.fixes, fix{len(d.f.code), l})
	if guard < 0 {
		d.emit(op{fn: bra})
	} else {
		d.emit(op{fn: braIf, guard: guard, not: not})
	}
	return nil
}

// label finds a label in the blocks around.
func (d *decoder) label(name string) (*label, error) {
	for i := len(d.scopes) - 1; i >= 0; i-- {
		if l := d.scopes[i].labels[name]; l != nil {
			return l, nil
		}
	}
	return nil, d.errorf("label %s is not there", name)
}
