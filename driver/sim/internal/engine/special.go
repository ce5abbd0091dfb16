package engine

import (
	"sync/atomic"

	"github.com/purecuda/purecuda/abi/ptx"
)

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

// specialOf is the special register of that name, false if there is none. Without clusters a block is one of its own.
func specialOf(name string) (specialKind, bool) {
	switch name {
	case "%tid.x":
		return tidX, true
	case "%tid.y":
		return tidY, true
	case "%tid.z":
		return tidZ, true
	case "%ntid.x":
		return ntidX, true
	case "%ntid.y":
		return ntidY, true
	case "%ntid.z":
		return ntidZ, true
	case "%ctaid.x", "%clusterid.x":
		return ctaidX, true
	case "%ctaid.y", "%clusterid.y":
		return ctaidY, true
	case "%ctaid.z", "%clusterid.z":
		return ctaidZ, true
	case "%nctaid.x", "%nclusterid.x":
		return nctaidX, true
	case "%nctaid.y", "%nclusterid.y":
		return nctaidY, true
	case "%nctaid.z", "%nclusterid.z":
		return nctaidZ, true
	case "%laneid":
		return laneid, true
	case "%warpid":
		return warpid, true
	case "%nwarpid":
		return nwarpid, true
	case "%smid":
		return smid, true
	case "%nsmid":
		return nsmid, true
	case "%gridid":
		return gridid, true
	case "%lanemask_eq":
		return lanemaskEq, true
	case "%lanemask_le":
		return lanemaskLe, true
	case "%lanemask_lt":
		return lanemaskLt, true
	case "%lanemask_ge":
		return lanemaskGe, true
	case "%lanemask_gt":
		return lanemaskGt, true
	case "%dynamic_smem_size":
		return dynamicSize, true
	case "%total_smem_size", "%aggr_smem_size":
		return totalSize, true
	case "%is_explicit_cluster", "%cluster_ctarank", "%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z", "%tid.w", "%ntid.w", "%ctaid.w", "%nctaid.w":
		return zero, true
	case "%cluster_nctarank", "%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z":
		return one, true
	}
	return 0, false
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
	if read := changing(name); read != nil {
		if k.bank() == bank64 {
			t := d.temp64()
			d.emit(op{fn: readSpecial64, d: t.slot, ext: read})
			return t, nil
		}
		t := d.temp32()
		d.emit(op{fn: readSpecial32, d: t.slot, ext: read})
		return t, nil
	}
	what, ok := specialOf(name)
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
		if s.bank == bank64 {
			row := &a.r64[s.slot]
			for i := range row {
				if differs {
					v = w.specialValue(s.what, uint32(i), a)
				}
				row[i] = v
			}
			continue
		}
		row := &a.r32[s.slot]
		for i := range row {
			if differs {
				v = w.specialValue(s.what, uint32(i), a)
			}
			row[i] = uint32(v)
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

// changing reads a special register that is read where the instruction stands; nil if it is none of those.
func changing(name string) func(*warp) uint64 {
	switch name {
	case "%clock", "%clock64":
		return (*warp).clock
	case "%clock_hi":
		return func(w *warp) uint64 { return w.clock() >> 32 }
	case "%globaltimer":
		return (*warp).timer
	case "%globaltimer_lo":
		return func(w *warp) uint64 { return w.timer() & 0xffffffff }
	case "%globaltimer_hi":
		return func(w *warp) uint64 { return w.timer() >> 32 }
	}
	return nil
}

// clock counts: each read is later than the one before.
func (w *warp) clock() uint64 {
	w.ticks += 16
	return w.steps + w.ticks
}

func (w *warp) timer() uint64 {
	g := w.block.grid
	v := g.began + w.clock()
	if t := g.config.Timer; t != nil {
		v = later(t, v, 16)
	}
	return later(&g.timer, v, 1)
}

// later makes t at least v, and at least step more than it was.
func later(t *atomic.Uint64, v, step uint64) uint64 {
	for {
		last := t.Load()
		if next := max(v, last+step); t.CompareAndSwap(last, next) {
			return next
		}
	}
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
