package engine

import "github.com/purecuda/purecuda/abi/ptx"

// window is where a space lies in the generic one. Global and constant memory lie where they are.
func window(s ptx.Space) (base int64, ok bool) {
	switch s {
	case ptx.SpaceShared:
		return sharedWindow, true
	case ptx.SpaceLocal:
		return localWindow, true
	case ptx.SpaceParam:
		return paramWindow, true
	case ptx.SpaceGlobal, ptx.SpaceConst:
		return 0, true
	}
	return 0, false
}

// cvta makes a generic address of one in a space, or the other way: cvta{.to}.SPACE.u64.
func (d *decoder) cvta(in *ptx.Instruction) error {
	to, space := false, ptx.Space("")
	for _, m := range in.Modifiers {
		switch m {
		case "to":
			to = true
		case "u64":
		case "shared::cta":
			space = ptx.SpaceShared
		default:
			space = ptx.Space(m)
		}
	}
	base, ok := window(space)
	if !ok || len(in.Operands) != 2 {
		return d.unsupported()
	}
	src := in.Operands[1]
	s, err := d.source(src, "b64")
	if err != nil {
		return err
	}
	if base == 0 && d.alias(in.Operands[0], src, s) {
		return nil
	}
	t, err := d.dest(in.Operands[0], "b64")
	if err != nil {
		return err
	}
	switch {
	case base == 0:
		d.move(t, s)
	case to:
		d.emit(op{fn: addImm64, d: t.slot, a: s.slot, imm: -base})
	default:
		d.emit(op{fn: addImm64, d: t.slot, a: s.slot, imm: base})
	}
	return nil
}
