package engine

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/purecuda/purecuda/abi/ptx"
)

// An mbarrierUse is what an instruction does with an mbarrier object.
type mbarrierUse struct {
	space ptx.Space
	do    func(u *mbarrierUse, w *warp, o *op, lane int, m mbarrierWord) (mbarrierWord, string)
	fresh bool // the object need not be there yet

	count      int32 // a register: of the arrivals, of the bytes; -1 is one
	drop       bool
	expect     bool // count is of bytes, and there is one arrival
	noComplete bool
	parity     bool
}

// mbarrier decodes the instructions on mbarrier objects.
// See the PTX ISA manual, "Parallel Synchronization and Communication Instructions: mbarrier".
func (d *decoder) mbarrier(in *ptx.Instruction) error {
	a := accessOf(in)
	if len(a.rest) == 0 || a.elem != "b64" || a.n != 1 || a.space != "" && a.space != ptx.SpaceShared {
		return d.unsupported()
	}
	x := in.Operands
	u := &mbarrierUse{space: a.space, count: -1}
	for _, m := range a.rest[1:] {
		switch {
		case m == "expect_tx" && slices.Contains([]string{"arrive", "arrive_drop"}, a.rest[0]):
			u.expect = true
		case m == "noComplete" && slices.Contains([]string{"arrive", "arrive_drop"}, a.rest[0]):
			u.noComplete = true
		case m == "parity" && slices.Contains([]string{"test_wait", "try_wait"}, a.rest[0]):
			u.parity = true
		default:
			return d.unsupported()
		}
	}
	o := op{fn: onMbarrier, d: -1, align: 7, size: 8, ext: u}
	shape := [2]int{2, 2} // operands, at least and at most
	result := kind("")
	switch a.rest[0] {
	case "init":
		u.do, u.fresh = (*mbarrierUse).initialise, true
	case "inval":
		u.do, shape = (*mbarrierUse).invalidate, [2]int{1, 1}
	case "arrive", "arrive_drop":
		u.do, u.drop = (*mbarrierUse).arrive, a.rest[0] == "arrive_drop"
		shape, result = [2]int{pick(u.expect || u.noComplete, 3, 2), 3}, "b64"
	case "expect_tx":
		u.do = (*mbarrierUse).expectBytes
	case "complete_tx":
		u.do = (*mbarrierUse).completeBytes
	case "test_wait", "try_wait":
		u.do, o.fn = nil, waitMbarrier
		shape, result = [2]int{3, pick(a.rest[0] == "try_wait", 4, 3)}, "pred"
	case "pending_count":
		return d.pendingCount(x)
	default:
		return d.unsupported()
	}
	if len(x) < shape[0] || len(x) > shape[1] {
		return d.unsupported()
	}
	if result != "" {
		if _, sink := x[0].(*ptx.Sink); !sink || result == "pred" {
			to, err := d.dest(x[0], result)
			if err != nil {
				return err
			}
			o.d = to.slot
		}
		x = x[1:]
	}
	at, err := d.address(x[0])
	if err != nil {
		return err
	}
	at = d.wide(at)
	o.a, o.imm = at.base.slot, at.off
	if len(x) > 1 { // what try_wait's hint of a time says makes no difference
		r, err := d.source(x[1], pick[kind](result == "pred" && !u.parity, "b64", "u32"))
		if err != nil {
			return err
		}
		u.count = r.slot
	}
	d.emit(o)
	return nil
}

// word is the object of a lane, as memory and as a number. It ends the launch and returns nil where there is none.
func (u *mbarrierUse) word(w *warp, o *op, lane int) ([]byte, mbarrierWord) {
	addr := w.r64[o.a][lane] + uint64(o.imm)
	if u.space == "" {
		if addr-sharedWindow >= windowSize {
			w.fail(o, lane, IllegalAddress, fmt.Sprintf("an mbarrier object at %#x, which is not in shared memory", addr))
			return nil, 0
		}
		addr -= sharedWindow
	}
	b := w.bytes(o, lane, ptx.SpaceShared, addr, 8)
	if b == nil {
		return nil, 0
	}
	m := mbarrierWord(binary.LittleEndian.Uint64(b))
	if !m.valid() && !u.fresh {
		w.fail(o, lane, Undefined, fmt.Sprintf("no mbarrier object was initialised at %#x of shared memory", addr))
		return nil, 0
	}
	return b, m
}

// onMbarrier does one thing to the object of each lane.
func onMbarrier(w *warp, o *op) {
	u := o.ext.(*mbarrierUse)
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		b, word := u.word(w, o, i)
		if b == nil {
			return
		}
		next, wrong := u.do(u, w, o, i, word)
		if wrong != "" {
			w.fail(o, i, Undefined, wrong)
			return
		}
		binary.LittleEndian.PutUint64(b, uint64(next))
		if o.d >= 0 {
			w.r64[o.d][i] = uint64(word)
		}
	}
}

// number is the operand with a count.
func (u *mbarrierUse) number(w *warp, lane int) uint32 {
	if u.count < 0 {
		return 1
	}
	return w.r32[u.count][lane]
}

func (u *mbarrierUse) initialise(w *warp, o *op, lane int, _ mbarrierWord) (mbarrierWord, string) {
	n := u.number(w, lane)
	if n == 0 || n > mbarrierMax {
		return 0, fmt.Sprintf("an mbarrier object for %d arrivals: there can be 1 to %d", n, mbarrierMax)
	}
	return newMbarrier(n), ""
}

func (u *mbarrierUse) invalidate(*warp, *op, int, mbarrierWord) (mbarrierWord, string) { return 0, "" }

func (u *mbarrierUse) arrive(w *warp, o *op, lane int, m mbarrierWord) (next mbarrierWord, wrong string) {
	n := u.number(w, lane)
	if u.expect {
		if m, wrong = m.expect(int64(n)); wrong != "" {
			return m, wrong
		}
		n = 1
	}
	next, wrong = m.arrive(n, pick(u.drop, n, 0))
	if u.noComplete && wrong == "" && next.phase() != m.phase() {
		wrong = "noComplete, and the phase is complete"
	}
	return next, wrong
}

func (u *mbarrierUse) expectBytes(w *warp, o *op, lane int, m mbarrierWord) (mbarrierWord, string) {
	return m.expect(int64(u.number(w, lane)))
}

func (u *mbarrierUse) completeBytes(w *warp, o *op, lane int, m mbarrierWord) (mbarrierWord, string) {
	m, wrong := m.expect(-int64(u.number(w, lane)))
	return m.settled(), wrong
}

// waitMbarrier tells whether a phase is complete: the one of a state, or the one of a parity. Where it is not, others run.
func waitMbarrier(w *warp, o *op) {
	u, r := o.ext.(*mbarrierUse), uint32(0)
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		b, word := u.word(w, o, i)
		if b == nil {
			return
		}
		if len(w.block.bulk) > 0 {
			next, wrong := w.block.arriveBulk((w.r64[o.a][i]+uint64(o.imm))&(windowSize-1), word)
			if wrong != "" {
				w.fail(o, i, Undefined, wrong)
				return
			}
			binary.LittleEndian.PutUint64(b, uint64(next))
			word = next
		}
		phase := uint64(0)
		if u.parity {
			phase = uint64(w.r32[u.count][i]) & 1
		} else {
			phase = mbarrierWord(w.r64[u.count][i]).phase()
		}
		if word.phase() != phase {
			r |= 1 << i
		}
	}
	w.p[o.d] = w.p[o.d]&^w.mask | r
	if r != w.mask {
		w.yield()
	}
}

// pendingCount decodes mbarrier.pending_count.b64 count, state.
func (d *decoder) pendingCount(x []ptx.Operand) error {
	if len(x) != 2 {
		return d.unsupported()
	}
	from, err := d.source(x[1], "b64")
	if err != nil {
		return err
	}
	to, err := d.dest(x[0], "u32")
	if err != nil {
		return err
	}
	d.emit(op{d: to.slot, a: from.slot, fn: func(w *warp, o *op) {
		each(w.mask, func(i int) { w.r32[o.d][i] = mbarrierWord(w.r64[o.a][i]).pending() })
	}})
	return nil
}
