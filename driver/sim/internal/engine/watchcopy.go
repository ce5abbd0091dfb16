package engine

import (
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A watchedCopy is a cp.async of a lane that has not been waited for, as the detectors see it. Writing is what the wait does: what others
// read before is unordered, and what is read without a wait is not written.
type watchedCopy struct {
	o     *op
	fn    *function
	lane  int
	group uint32
	to    spot
	from  spot
	n     uint64 // bytes that are read
	size  uint64
	use   *raceUse
}

// copies emits what watches cp.async and its waits.
func (v *watcher) copies(in *ptx.Instruction) error {
	d, x := v.d, in.Operands
	switch form := in.Form(); {
	case strings.HasPrefix(form, "cp.async.wait_all"), strings.HasPrefix(form, "cp.async.mbarrier"):
		d.emit(op{fn: watchWait, imm: -1})
		if at := firstAddress(x); v.race && at != nil {
			return v.raceReference(&ptx.Instruction{Opcode: "mbarrier"}, reference{kind: updates, access: access{space: accessOf(in).space}, at: at, size: 8})
		}
		return nil
	case strings.HasPrefix(form, "cp.async.wait_group") && len(x) == 1:
		n, err := d.integer(x[0])
		d.emit(op{fn: watchWait, imm: n})
		return err
	}
	refs := copyReads(in)
	if refs == nil {
		return nil
	}
	if v.race {
		if err := v.raceReference(in, refs[0]); err != nil {
			return err
		}
	}
	from, err := d.address(refs[0].at)
	if err != nil {
		return err
	}
	if from.off != 0 {
		from.base = d.plus(from.base, from.off)
	}
	from = d.wide(from)
	u := &raceUse{space: ptx.SpaceShared, kind: writes, size: uint64(refs[0].size), site: v.site()}
	o, err := v.address(op{fn: watchCopy, b: from.base.slot, size: uint8(refs[0].size), ext: u}, reference{at: x[0]}, 0)
	if err != nil {
		return err
	}
	o.d = -1
	if len(x) > 3 {
		if r, ok := x[3].(*ptx.Register); ok {
			if at, err := d.register(r.Name, r.Component); err == nil && at.bank == bank32 {
				o.d = at.slot
			}
		} else if n, ok := x[3].(*ptx.Int); ok {
			o.d = d.const32(uint32(n.Value)).slot
		}
	}
	d.emit(o)
	return nil
}

// watchCopy remembers the copies of the running lanes.
func watchCopy(w *warp, o *op) {
	if w.block.watch == nil {
		return
	}
	if len(w.watch.copies) > asyncKept { // as the copies themselves
		w.copied(o, full, -1)
	}
	u := o.ext.(*raceUse)
	each(w.mask, func(i int) {
		c := watchedCopy{o: o, fn: w.act.fn, lane: i, group: w.async.groups[i], size: u.size, n: u.size, use: u}
		if o.d >= 0 {
			c.n = min(uint64(w.r32[o.d][i]), c.size)
		}
		c.to = w.spot(o, i, ptx.SpaceShared, w.r64[o.a][i]+uint64(o.imm), c.size)
		if c.n > 0 {
			c.from = w.spot(o, i, ptx.SpaceGlobal, w.r64[o.b][i], c.n)
		}
		w.watch.copies = append(w.watch.copies, c)
	})
}

// watchWait does those that a wait is for: all groups of a lane but the o.imm newest, or with -1 all.
func watchWait(w *warp, o *op) { w.copied(o, w.mask, o.imm) }

// copied does the copies of some lanes, but for their newest groups.
func (w *warp) copied(o *op, lanes uint32, newest int64) {
	kept := w.watch.copies[:0]
	for _, c := range w.watch.copies {
		if lanes>>c.lane&1 == 0 || newest >= 0 && int64(c.group)+newest >= int64(w.async.groups[c.lane]) {
			kept = append(kept, c)
			continue
		}
		if c.to.space == "" {
			continue
		}
		c.to.written.copy(int64(c.to.off), c.from.written, int64(c.from.off), int64(c.n))
		c.to.written.mark(int64(c.to.off+c.n), int64(c.size-c.n), true)
		if r := w.race(); r != nil && !w.stop {
			w.raceAt(r, &op{inst: pick(c.fn == w.act.fn, c.o.inst, o.inst)}, c.lane, c.use, c.to, c.to.off)
		}
	}
	w.watch.copies = kept
}

// touched watches an element that a lane of wmma.load reads, or of wmma.store writes. It reports whether that is a fault.
func (w *warp) touched(o *op, lane int, space ptx.Space, addr uint64, out bool) bool {
	size := uint64(o.size)
	s := w.spot(o, lane, space, addr, size)
	if out {
		s.written.set(s.off, size, 0)
	} else if not := s.written.unwritten(s.off, size); not != 0 {
		w.fail(o, lane, Uninitialised, w.unwritten(s, addr, size, not))
		return true
	}
	if r := w.race(); r != nil && s.space != "" {
		u := &raceUse{space: space, kind: pick(out, writes, reads), size: size, site: w.block.grid.launch.Kernel.program.siteOf[site{w.act.fn, o.inst}]}
		w.raceAt(r, o, lane, u, s, addr)
	}
	return w.fault != nil
}
