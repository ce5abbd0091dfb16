package engine

import (
	"slices"

	"github.com/purecuda/purecuda/abi/ptx"
)

// hints are instructions that change nothing a program can see here, with the number of their operands and the modifiers that they have.
// See the PTX ISA manual under their names.
var hints = [...]hint{
	{"prefetch", [2]int{1, 1}, []string{"global", "local", "const", "param", "L1", "L2", "L2::evict_last", "L2::evict_normal", "tensormap"}},
	{"prefetchu", [2]int{1, 1}, []string{"L1"}},
	{"discard", [2]int{2, 2}, []string{"global", "L2"}},
	{"applypriority", [2]int{2, 2}, []string{"global", "L2::evict_normal"}},
	{"griddepcontrol", [2]int{0, 0}, []string{"launch_dependents", "wait"}},
	{"pmevent", [2]int{1, 1}, []string{"mask"}},
	{"setmaxnreg", [2]int{1, 1}, []string{"inc", "dec", "sync", "aligned", "u32"}},
}

type hint struct {
	opcode    string
	operands  [2]int // at least, at most
	modifiers []string
}

// hint decodes one of hints.
func (d *decoder) hint(in *ptx.Instruction) error {
	h := hints[slices.IndexFunc(hints[:], func(h hint) bool { return h.opcode == in.Opcode })]
	if n := len(in.Operands); n < h.operands[0] || n > h.operands[1] {
		return d.unsupported()
	}
	for _, m := range in.Modifiers {
		known := false
		for _, k := range h.modifiers {
			known = known || m == k
		}
		if !known {
			return d.unsupported()
		}
	}
	d.emit(op{fn: nop})
	return nil
}

// createPolicy decodes createpolicy, which makes a hint for the cache: 0 here.
// See the PTX ISA manual, "Data Movement and Conversion Instructions: createpolicy".
func (d *decoder) createPolicy(in *ptx.Instruction) error {
	n := len(in.Modifiers)
	if n < 3 || in.Modifiers[n-1] != "b64" || len(in.Operands) < 1 {
		return d.unsupported()
	}
	switch in.Modifiers[0] {
	case "fractional", "range", "cvt":
	default:
		return d.unsupported()
	}
	to, err := d.dest(in.Operands[0], "b64")
	if err != nil {
		return err
	}
	d.move(to, d.const64(0))
	return nil
}
