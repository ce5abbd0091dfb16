package engine

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
)

// An asyncCopy is a cp.async of a lane that has not been waited for. It is done as late as that, so that a wait that is missing is seen.
type asyncCopy struct {
	dst, src []byte // what src is shorter is filled with zeros
	lane     uint8
	group    uint32 // of the lane
}

// asyncState is the asynchronous copies of a warp.
type asyncState struct {
	copies []asyncCopy // the oldest first
	groups [32]uint32  // committed by each lane
	some   bool        // are
}

func (s *asyncState) begin() {
	s.copies = s.copies[:0]
	if s.some {
		s.groups, s.some = [32]uint32{}, false
	}
}

func (s *asyncState) commit(lanes uint32) {
	s.some = true
	each(lanes, func(i int) { s.groups[i]++ })
}

// asyncKept is how many wait to be done, about. They may be done at any time.
const asyncKept = 1 << 14

// cp decodes cp.async and what belongs to it.
// See the PTX ISA manual, "Data Movement and Conversion Instructions: Non-bulk copy".
func (d *decoder) cp(in *ptx.Instruction) error {
	switch form := strings.Replace(in.Form(), "shared::cta", "shared", 1); {
	case form == "cp.async.commit_group" && len(in.Operands) == 0:
		d.emit(op{fn: commitGroup})
		return nil
	case form == "cp.async.wait_all" && len(in.Operands) == 0:
		d.emit(op{fn: waitAll})
		return nil
	case form == "cp.async.wait_group" && len(in.Operands) == 1:
		n, err := d.integer(in.Operands[0])
		if err != nil {
			return err
		}
		d.emit(op{fn: waitGroup, imm: n})
		return nil
	case strings.HasPrefix(form, "cp.async.bulk."):
		return d.cpBulk(in)
	case strings.HasPrefix(form+".", "cp.async.mbarrier.arrive.") && len(in.Operands) == 1:
		return d.cpArrive(in)
	case strings.HasPrefix(form+".", "cp.async.ca.shared.global."), strings.HasPrefix(form+".", "cp.async.cg.shared.global."):
		return d.cpAsync(in)
	}
	return d.unsupported()
}

// A copyUse is what a cp.async copies.
type copyUse struct {
	size   int32 // the register with the number of bytes that are read; -1 is all of them
	ignore int32 // the predicate that says to read nothing; -1 is none
}

// cpAsync decodes cp.async.ca.shared.global [dst], [src], size{, srcSize or ignoreSrc}{, policy}.
func (d *decoder) cpAsync(in *ptx.Instruction) error {
	x := in.Operands
	for _, m := range in.Modifiers[4:] {
		switch m {
		case "L2::cache_hint":
			x = x[:max(len(x)-1, 0)]
		case "L2::64B", "L2::128B", "L2::256B":
		default:
			return d.unsupported()
		}
	}
	if len(x) != 3 && len(x) != 4 {
		return d.unsupported()
	}
	size, err := d.integer(x[2])
	if err != nil {
		return err
	}
	if size != 16 && (in.Modifiers[1] == "cg" || size != 4 && size != 8) {
		return d.errorf("a copy of %d bytes", size)
	}
	dst, err := d.address(x[0])
	if err != nil {
		return err
	}
	src, err := d.address(x[1])
	if err != nil {
		return err
	}
	if dst.off != 0 { // an operation has one displacement
		dst.base = d.plus(dst.base, dst.off)
	}
	dst, src = d.wide(dst), d.wide(src)
	u := &copyUse{-1, -1}
	if len(x) == 4 {
		if r, ok := x[3].(*ptx.Register); ok {
			p, err := d.register(r.Name, r.Component)
			if err != nil {
				return err
			}
			if p.bank == bankPred {
				u.ignore = p.slot
			}
		}
		if u.ignore < 0 {
			r, err := d.source(x[3], "u32")
			if err != nil {
				return err
			}
			u.size = r.slot
		}
	}
	d.emit(op{fn: asyncIssue, a: dst.base.slot, b: src.base.slot, imm: src.off, size: uint8(size), align: uint8(size - 1), slot: d.nextSlot(), ext: u})
	return nil
}

// asyncIssue puts the copies of the running lanes among those to be done.
func asyncIssue(w *warp, o *op) {
	u := o.ext.(*copyUse)
	if len(w.async.copies) > asyncKept {
		waitAll(w, o)
	}
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		n := uint64(o.size)
		if u.size >= 0 {
			n = uint64(w.r32[u.size][i])
		}
		if u.ignore >= 0 && w.p[u.ignore]>>i&1 != 0 {
			n = 0
		}
		if n > uint64(o.size) {
			w.fail(o, i, Undefined, fmt.Sprintf("%d bytes to read of %d", n, o.size))
			return
		}
		dst := w.bytes(o, i, ptx.SpaceShared, w.r64[o.a][i], uint64(o.size))
		if dst == nil {
			return
		}
		var src []byte
		if n > 0 {
			if src = w.bytes(o, i, ptx.SpaceGlobal, w.r64[o.b][i]+uint64(o.imm), n); src == nil {
				return
			}
		}
		w.async.copies = append(w.async.copies, asyncCopy{dst, src, uint8(i), w.async.groups[i]})
	}
}

func commitGroup(w *warp, o *op) { w.async.commit(w.mask) }

func waitAll(w *warp, o *op) { w.async.finish(w.mask, func(*asyncCopy) bool { return true }) }

// waitGroup waits for all groups but the o.imm newest.
func waitGroup(w *warp, o *op) {
	w.async.wait(w.mask, o.imm)
}

// wait does the copies of some lanes but for their newest groups.
func (s *asyncState) wait(lanes uint32, newest int64) {
	s.finish(lanes, func(c *asyncCopy) bool { return int64(c.group)+newest < int64(s.groups[c.lane]) })
}

// finish does the copies of some lanes for which due says so.
func (s *asyncState) finish(lanes uint32, due func(*asyncCopy) bool) {
	kept := s.copies[:0]
	for i := range s.copies {
		c := &s.copies[i]
		if lanes>>c.lane&1 != 0 && due(c) {
			clear(c.dst[copy(c.dst, c.src):])
		} else {
			kept = append(kept, *c)
		}
	}
	s.copies = kept
}

// cpArrive decodes cp.async.mbarrier.arrive{.noinc}{.shared}.b64 [object]: the copies are done at once, and without .noinc the
// arrival is one more that the phase needs, so that it makes no difference.
func (d *decoder) cpArrive(in *ptx.Instruction) error {
	u := &mbarrierUse{count: -1, do: func(_ *mbarrierUse, _ *warp, _ *op, _ int, m mbarrierWord) (mbarrierWord, string) { return m, "" }}
	for _, m := range in.Modifiers[3:] {
		switch m {
		case "noinc":
			u.do = (*mbarrierUse).arrive
		case "shared", "shared::cta":
			u.space = ptx.SpaceShared
		case "b64":
		default:
			return d.unsupported()
		}
	}
	at, err := d.address(in.Operands[0])
	if err != nil {
		return err
	}
	at = d.wide(at)
	d.emit(op{fn: waitAll})
	d.emit(op{fn: onMbarrier, d: -1, a: at.base.slot, imm: at.off, align: 7, size: 8, ext: u})
	return nil
}
