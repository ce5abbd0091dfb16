package engine

import "github.com/purecuda/purecuda/abi/ptx"

// A special is a register whose value the engine gives: a special register of PTX, or an address that only a launch knows.
type special struct {
	what specialKind
	bank bank
	off  int32 // of paramValue: where it lies in the parameters
	slot int32
}

type specialKind uint8

const (
	tidX specialKind = iota
	tidY
	tidZ
	ntidX
	ntidY
	ntidZ
	ctaidX
	ctaidY
	ctaidZ
	nctaidX
	nctaidY
	nctaidZ
	laneid
	warpid
	nwarpid
	smid
	nsmid
	gridid
	lanemaskEq
	lanemaskLe
	lanemaskLt
	lanemaskGe
	lanemaskGt
	dynamicSize   // %dynamic_smem_size
	totalSize     // %total_smem_size
	dynamicShared // where dynamic shared memory begins
	localFrame    // where the function's local memory begins
	paramValue    // a parameter of the entry
	zero
	one
)

var specialNames = map[string]specialKind{
	"%tid.x": tidX, "%tid.y": tidY, "%tid.z": tidZ, "%ntid.x": ntidX, "%ntid.y": ntidY, "%ntid.z": ntidZ,
	"%ctaid.x": ctaidX, "%ctaid.y": ctaidY, "%ctaid.z": ctaidZ, "%nctaid.x": nctaidX, "%nctaid.y": nctaidY, "%nctaid.z": nctaidZ,
	"%laneid": laneid, "%warpid": warpid, "%nwarpid": nwarpid, "%smid": smid, "%nsmid": nsmid, "%gridid": gridid,
	"%lanemask_eq": lanemaskEq, "%lanemask_le": lanemaskLe, "%lanemask_lt": lanemaskLt, "%lanemask_ge": lanemaskGe, "%lanemask_gt": lanemaskGt,
	"%dynamic_smem_size": dynamicSize, "%total_smem_size": totalSize, "%aggr_smem_size": totalSize,
	// Without clusters a block is one of its own.
	"%is_explicit_cluster": zero, "%cluster_ctarank": zero, "%cluster_nctarank": one,
	"%cluster_ctaid.x": zero, "%cluster_ctaid.y": zero, "%cluster_ctaid.z": zero,
	"%cluster_nctaid.x": one, "%cluster_nctaid.y": one, "%cluster_nctaid.z": one,
	"%clusterid.x": ctaidX, "%clusterid.y": ctaidY, "%clusterid.z": ctaidZ,
	"%nclusterid.x": nctaidX, "%nclusterid.y": nctaidY, "%nclusterid.z": nctaidZ,
	"%tid.w": zero, "%ntid.w": zero, "%ctaid.w": zero, "%nctaid.w": zero,
}

// specialReg is the register with a special register's value.
func (d *decoder) specialReg(x *ptx.Special, k kind) (reg, error) {
	name := x.Name
	if x.Component != "" {
		name += "." + x.Component
	}
	if name == "WARP_SZ" {
		if k.bank() == bank64 {
			return d.const64(32), nil
		}
		return d.const32(32), nil
	}
	if read, ok := changing[name]; ok {
		if k.bank() == bank64 {
			t := d.temp64()
			d.emit(op{fn: readSpecial64, d: t.slot, ext: read})
			return t, nil
		}
		t := d.temp32()
		d.emit(op{fn: readSpecial32, d: t.slot, ext: read})
		return t, nil
	}
	what, ok := specialNames[name]
	if !ok {
		return reg{}, &UnsupportedError{What: "special register " + name, Source: d.l.program.place(d.loc), Line: d.in.Line}
	}
	if k == "pred" {
		t := d.tempPred()
		if what == one {
			d.emit(op{fn: setPred, d: t.slot, imm: 1})
		} else if what == zero {
			d.emit(op{fn: setPred, d: t.slot})
		} else {
			return reg{}, d.errorf("%s is no predicate", name)
		}
		return t, nil
	}
	return d.specialSlot(special{what: what, bank: k.bank()}), nil
}

func (d *decoder) specialSlot(s special) reg {
	key := s
	slot, ok := d.special_[key]
	if !ok {
		if s.bank == bank64 {
			slot = d.temp64().slot
		} else {
			slot = d.temp32().slot
		}
		d.special_[key] = slot
		s.slot = slot
		d.f.specials = append(d.f.specials, s)
	}
	return reg{s.bank, slot, pick(s.bank == bank64, 64, 32)}
}

// special fills in the special registers of an activation: all of them, or those that differ from block to block.
func (w *warp) special(a *activation, all bool) {
	for _, s := range a.fn.specials {
		if !all && !(s.what >= ctaidX && s.what <= ctaidZ) && s.what != smid {
			continue
		}
		differs := s.what <= tidZ || s.what == laneid || s.what >= lanemaskEq && s.what <= lanemaskGt
		v := w.specialValue(s.what, 0, a)
		if s.what == paramValue {
			v = little(w.block.grid.launch.Params[s.off:][:pick(s.bank == bank64, 8, 4)])
		}
		for i := range uint32(32) {
			if differs {
				v = w.specialValue(s.what, i, a)
			}
			if s.bank == bank64 {
				a.r64[s.slot][i] = v
			} else {
				a.r32[s.slot][i] = uint32(v)
			}
		}
	}
}

func (w *warp) specialValue(what specialKind, lane uint32, a *activation) uint64 {
	b := w.block
	l := b.grid.launch
	t := uint32(32*w.index) + lane
	v := uint32(0)
	switch what {
	case tidX:
		v = t % l.Block[0]
	case tidY:
		v = t / l.Block[0] % l.Block[1]
	case tidZ:
		v = t / (l.Block[0] * l.Block[1])
	case ntidX, ntidY, ntidZ:
		v = l.Block[what-ntidX]
	case ctaidX, ctaidY, ctaidZ:
		v = b.index[what-ctaidX]
	case nctaidX, nctaidY, nctaidZ:
		v = l.Grid[what-nctaidX]
	case laneid:
		v = lane
	case warpid:
		v = uint32(w.index)
	case nwarpid:
		v = uint32(len(b.warps))
	case smid:
		v = uint32(b.number % uint64(max(b.grid.config.SM, 1)))
	case nsmid:
		v = uint32(max(b.grid.config.SM, 1))
	case lanemaskEq:
		v = 1 << lane
	case lanemaskLt:
		v = 1<<lane - 1
	case lanemaskLe:
		v = 1<<lane | (1<<lane - 1)
	case lanemaskGe:
		v = ^uint32(1<<lane - 1)
	case lanemaskGt:
		v = ^uint32(1<<lane-1) &^ (1 << lane)
	case dynamicSize:
		v = uint32(l.Shared)
	case totalSize:
		v = uint32(len(b.shared.Data))
	case dynamicShared:
		v = uint32(l.Kernel.fn.dynamic)
	case localFrame:
		v = uint32(a.local)
	case one:
		v = 1
	}
	return uint64(v)
}

// changing are the special registers that are read where the instruction stands.
var changing = map[string]func(*warp) uint64{
	"%clock": (*warp).clock, "%clock64": (*warp).clock, "%clock_hi": func(w *warp) uint64 { return w.clock() >> 32 },
	"%globaltimer": (*warp).timer, "%globaltimer_lo": func(w *warp) uint64 { return w.timer() & 0xffffffff }, "%globaltimer_hi": func(w *warp) uint64 { return w.timer() >> 32 },
}

// clock counts: each read is later than the one before.
func (w *warp) clock() uint64 {
	w.ticks += 16
	return w.steps + w.ticks
}

func (w *warp) timer() uint64 {
	if f := w.block.grid.config.Clock; f != nil {
		return f()
	}
	return w.clock()
}

func readSpecial32(w *warp, o *op) {
	v := uint32(o.ext.(func(*warp) uint64)(w))
	d := &w.r32[o.d]
	each(w.mask, func(i int) { d[i] = v })
}

func readSpecial64(w *warp, o *op) {
	v := o.ext.(func(*warp) uint64)(w)
	d := &w.r64[o.d]
	each(w.mask, func(i int) { d[i] = v })
}
