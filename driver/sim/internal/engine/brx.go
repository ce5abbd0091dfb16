package engine

import (
	"fmt"
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// brx decodes brx.idx{.uni} index, table.
func (d *decoder) brx(in *ptx.Instruction) error {
	if len(in.Operands) != 2 || len(in.Modifiers) == 0 || in.Modifiers[0] != "idx" {
		return d.unsupported()
	}
	name, ok := in.Operands[1].(*ptx.Symbol)
	var table *ptx.BranchTargets
	for i := len(d.scopes) - 1; ok && table == nil && i >= 0; i-- {
		table = d.scopes[i].tables[name.Name]
	}
	if table == nil {
		return d.errorf("%s is no .branchtargets", in.Operands[1])
	}
	var to []*label
	for _, n := range table.Labels {
		l, err := d.label(n)
		if err != nil {
			return err
		}
		to = append(to, l)
	}
	r, err := d.source(in.Operands[0], "u32")
	if err != nil {
		return err
	}
	d.emit(op{fn: branchTable, a: r.slot, ext: to})
	return nil
}

// branchTable goes where each lane's index says.
func branchTable(w *warp, o *op) {
	to, as := o.ext.([]*label), &w.r32[o.a]
	for w.mask != 0 {
		lane := bits.TrailingZeros32(w.mask) & 31
		if as[lane] >= uint32(len(to)) {
			w.fail(o, lane, InvalidPC, fmt.Sprintf("index %d of a table of %d", as[lane], len(to)))
			return
		}
		pc, same := to[as[lane]].pc, uint32(0)
		for m := w.mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			if as[i] < uint32(len(to)) && to[as[i]].pc == pc {
				same |= 1 << i
			}
		}
		if same == w.mask {
			w.pc = pc
			break
		}
		w.fork(same, pc)
	}
	w.turn()
}
