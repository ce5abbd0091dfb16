package engine

import "github.com/purecuda/purecuda/abi/ptx"

// bar decodes bar and barrier{.cta} .sync, .arrive and .red, bar.warp.sync and barrier.cluster.
// See the PTX ISA manual, "Parallel Synchronization and Communication Instructions: bar, barrier".
func (d *decoder) bar(in *ptx.Instruction) error {
	if in.Opcode == "bar" && in.Has("warp") {
		return d.barWarp(in)
	}
	if in.Has("cluster") {
		return d.barCluster(in)
	}
	u, what, counted := &barrierUse{count: -1, aligned: in.Opcode == "bar" || in.Has("aligned")}, "", "u32"
	for _, m := range in.Modifiers {
		switch m {
		case "cta", "aligned":
		case "sync", "arrive", "red":
			what = m
		case "popc", "and", "or":
			u.reduce = m
		case "u32", "pred":
			counted = m
		default:
			return d.unsupported()
		}
	}
	x := in.Operands
	o := op{fn: barAt, ext: u}
	u.wait = what != "arrive"
	switch {
	case what == "red" && u.reduce != "" && (len(x) == 3 || len(x) == 4) && (u.reduce == "popc") == (counted == "u32"):
		to, err := d.dest(x[0], kind(counted))
		if err != nil {
			return err
		}
		from, err := d.source(x[len(x)-1], "pred")
		if err != nil {
			return err
		}
		o.d, u.pred, x = to.slot, from.slot, x[1:len(x)-1]
	case what == "sync" && u.reduce == "" && (len(x) == 1 || len(x) == 2):
	case what == "arrive" && u.reduce == "" && len(x) == 2:
	default:
		return d.unsupported()
	}
	if n, ok := x[0].(*ptx.Int); ok && (n.Value < 0 || n.Value > 15) {
		return d.errorf("barrier %d: there are 0 to 15", n.Value)
	}
	number, err := d.source(x[0], "u32")
	if err != nil {
		return err
	}
	u.number = number.slot
	if len(x) == 2 {
		if n, ok := x[1].(*ptx.Int); ok && (n.Value <= 0 || n.Value%32 != 0) {
			return d.errorf("a barrier for %d threads: that is no multiple of 32", n.Value)
		}
		count, err := d.source(x[1], "u32")
		if err != nil {
			return err
		}
		u.count = count.slot
	}
	if n, ok := x[0].(*ptx.Int); ok && u.wait && u.reduce == "" && u.count < 0 {
		o.fn, o.imm = barAll, n.Value
	}
	d.emit(o)
	return nil
}

// barWarp decodes bar.warp.sync, a meeting where nothing is exchanged.
func (d *decoder) barWarp(in *ptx.Instruction) error {
	if len(in.Modifiers) != 2 || in.Modifiers[1] != "sync" || len(in.Operands) != 1 {
		return d.unsupported()
	}
	return d.meeting(op{}, meeting{bring: nop, take: func(*warp, *op, uint32) {}}, in.Operands[0])
}
