package engine

import "github.com/purecuda/purecuda/abi/ptx"

func init() {
	decoders["bar"] = (*decoder).bar
	decoders["barrier"] = (*decoder).bar
}

// bar decodes bar{.cta}.sync and .arrive with numbers for operands.
func (d *decoder) bar(in *ptx.Instruction) error {
	o := op{}
	for _, m := range in.Modifiers {
		switch m {
		case "cta", "aligned":
		case "sync":
			o.fn = barSync
		case "arrive":
			o.fn = barArrive
		default:
			return d.unsupported()
		}
	}
	if o.fn == nil || len(in.Operands) == 0 || len(in.Operands) > 2 {
		return d.unsupported()
	}
	for i, x := range in.Operands {
		n, ok := x.(*ptx.Int)
		if !ok {
			return d.unsupported()
		}
		*[]*int32{&o.a, &o.b}[i] = int32(n.Value)
	}
	if o.a < 0 || o.a > 15 {
		return d.errorf("barrier %d: there are 0 to 15", o.a)
	}
	d.emit(o)
	return nil
}
