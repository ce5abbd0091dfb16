package engine

import (
	"fmt"
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A meeting is an instruction at which lanes of a warp exchange something: shfl, vote, match, redux, bar.warp, mma and their like.
//
// A lane names the lanes it meets in a member mask and waits until each of them that has not ended has come with the same
// mask, to this instruction or, unless it is aligned, to another of the same form. See the PTX ISA manual, "Parallel
// Synchronization and Communication Instructions: shfl.sync".
type meeting struct {
	bring   func(w *warp, o *op)               // hands over what the running lanes have
	take    func(w *warp, o *op, lanes uint32) // gives the running lanes their results of what lanes have brought
	aligned bool                               // all lanes execute the same instruction
	pred    int32                              // the register of a second result, a predicate; -1 for none
	extra   any                                // what its functions need besides

	form  string
	named bool  // there is a member mask; without one, as before sm_70, whoever runs meets
	mask  int32 // the register of it
	fixed bool  // it is value in all lanes
	value uint32
}

// An exchange is what lanes that meet have brought.
type exchange struct {
	words lanes32
	wide  lanes64
	bits  uint32
}

// meet is the operation of a meeting. Mostly all have come, at once.
func meet(w *warp, o *op) {
	m := o.ext.(*meeting)
	if m.named {
		member, same := m.value, m.fixed
		if !same {
			member, same = w.uniform(&w.r32[m.mask])
		}
		if !same || w.mask != member&^w.dead {
			w.await(o, m)
			return
		}
	}
	m.bring(w, o)
	m.take(w, o, w.mask)
}

// meeting emits the operation o of a meeting. member is the operand with the member mask, nil where there is none.
func (d *decoder) meeting(o op, m meeting, member ptx.Operand) error {
	m.form = d.in.Form()
	if member != nil {
		r, err := d.source(member, "b32")
		if err != nil {
			return err
		}
		m.named, m.mask = true, r.slot
		if n, ok := member.(*ptx.Int); ok {
			m.fixed, m.value = true, uint32(n.Value)
		}
	}
	o.fn, o.ext = meet, &m
	d.emit(o)
	return nil
}

// both are the parts of a destination d|p. The second is nil where there is none.
func both(x ptx.Operand) (first, second ptx.Operand) {
	if p, ok := x.(*ptx.Pair); ok {
		return p.First, p.Second
	}
	return x, nil
}

// second is the register of a destination's predicate, -1 where there is none.
func (d *decoder) second(x ptx.Operand) (int32, error) {
	if x == nil {
		return -1, nil
	}
	r, err := d.dest(x, "pred")
	return r.slot, err
}

// uniform is the value of a register in the first running lane, and whether the others have the same.
func (w *warp) uniform(r *lanes32) (uint32, bool) {
	v := r[bits.TrailingZeros32(w.mask)&31]
	for m := w.mask; m != 0; m &= m - 1 {
		if r[bits.TrailingZeros32(m)&31] != v {
			return v, false
		}
	}
	return v, true
}

// await parks the running lanes, those with each member mask by themselves, and runs whoever can go on.
func (w *warp) await(o *op, m *meeting) {
	masks := &w.r32[m.mask]
	for rest := w.mask; rest != 0; {
		first := bits.TrailingZeros32(rest)
		member, lanes := masks[first], uint32(0)
		for r := rest; r != 0; r &= r - 1 {
			if i := bits.TrailingZeros32(r); masks[i] == member {
				lanes |= 1 << i
			}
		}
		if strange := lanes &^ member; strange != 0 {
			lane := bits.TrailingZeros32(strange)
			w.fail(o, lane, Undefined, fmt.Sprintf("lane %d is not in its own member mask %#08x", lane, member))
			return
		}
		rest &^= lanes
		w.parkForMeeting(o, member, lanes)
	}
	w.act.users--
	w.mask = 0
	w.meetings()
	w.next()
}

// parkForMeeting puts lanes of the running fragment among those that wait for others of their warp.
func (w *warp) parkForMeeting(o *op, member, lanes uint32) {
	for i := range w.parked {
		if p := &w.parked[i]; p.barrier == inMeeting && p.op == o && p.act == w.act && p.member == member {
			p.mask |= lanes
			return
		}
	}
	w.act.users++
	w.parked = append(w.parked, parked{fragment: fragment{w.act, w.pc, lanes}, barrier: inMeeting, op: o, member: member})
}

// meets reports whether two fragments that wait do so for each other.
func (p *parked) meets(q *parked) bool {
	if q.barrier != inMeeting || p.member != q.member {
		return false
	}
	m, n := p.op.ext.(*meeting), q.op.ext.(*meeting)
	if m.aligned {
		return p.op == q.op && p.act == q.act
	}
	return m.form == n.form
}

// meetings lets lanes go on that wait for one another and are all there. No fragment may be running.
func (w *warp) meetings() {
	for i := 0; i < len(w.parked); i++ {
		p := w.parked[i]
		if p.barrier != inMeeting {
			continue
		}
		have := uint32(0)
		for j := range w.parked {
			if p.meets(&w.parked[j]) {
				have |= w.parked[j].mask
			}
		}
		if p.member&^w.dead&^have != 0 {
			continue
		}
		for j := range w.parked {
			if q := &w.parked[j]; p.meets(q) {
				w.enter(q.fragment)
				q.op.ext.(*meeting).bring(w, q.op)
			}
		}
		for j := range w.parked {
			if q := &w.parked[j]; p.meets(q) {
				w.enter(q.fragment)
				q.op.ext.(*meeting).take(w, q.op, have)
			}
		}
		w.mask = 0
		w.unpark(p.meets)
		i = -1
	}
}

// missing are the lanes that a fragment waits for.
func (w *warp) missing(p *parked) uint32 {
	have := w.dead
	for j := range w.parked {
		if p.meets(&w.parked[j]) {
			have |= w.parked[j].mask
		}
	}
	return p.member &^ have
}
