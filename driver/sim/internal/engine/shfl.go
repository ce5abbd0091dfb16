package engine

import (
	"math/bits"
	"slices"

	"github.com/purecuda/purecuda/abi/ptx"
)

// The modes of shfl, and their names.
const (
	shflUp = iota
	shflDown
	shflBfly
	shflIdx
)

var shflModes = [...]string{"up", "down", "bfly", "idx"}

// shfl decodes shfl{.sync}.MODE.b32 d{|p}, a, b, c{, membermask}.
// See the PTX ISA manual, "Data Movement and Conversion Instructions: shfl.sync".
func (d *decoder) shfl(in *ptx.Instruction) error {
	mods, x := in.Modifiers, in.Operands
	var member ptx.Operand
	if len(mods) == 3 && mods[0] == "sync" && len(x) == 5 {
		mods, member, x = mods[1:], x[4], x[:4]
	}
	if len(mods) != 2 || mods[1] != "b32" || len(x) != 4 {
		return d.unsupported()
	}
	mode := slices.Index(shflModes[:], mods[0])
	if mode < 0 {
		return d.unsupported()
	}
	o := op{size: uint8(mode)}
	for i, at := range []*int32{&o.a, &o.b, &o.c} {
		r, err := d.source(x[i+1], "b32")
		if err != nil {
			return err
		}
		*at = r.slot
	}
	first, second := both(x[0])
	to, err := d.dest(first, "b32")
	if err != nil {
		return err
	}
	o.d = to.slot
	pred, err := d.second(second)
	if err != nil {
		return err
	}
	m := meeting{bring: bringWord, take: shflTake, pred: pred}
	b, fixedB := x[2].(*ptx.Int)
	c, fixedC := x[3].(*ptx.Int)
	if fixedB && fixedC { // as mostly
		t := &shflTable{}
		for i := range uint32(32) {
			from, in := shflSource(o.size, i, uint32(b.Value), uint32(c.Value))
			t.from[i] = uint8(from)
			t.inside |= pick[uint32](in, 1, 0) << i
		}
		m.take, m.extra = shflFixed, t
	}
	if d.l.config.Config.Check.Sync {
		m.take = checkSources(m.take)
	}
	return d.meeting(o, m, member)
}

// A shflTable is where each lane takes its word from, and whether that is inside its segment.
type shflTable struct {
	from   [32]uint8
	inside uint32
}

// bringWord hands over a register of 32 bits.
func bringWord(w *warp, o *op) {
	if w.all {
		w.ex.words = w.r32[o.a]
		return
	}
	a := &w.r32[o.a]
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		w.ex.words[i] = a[i]
	}
}

// shflSource is the lane that a lane takes its word from, and whether it is inside its segment; else it is the lane itself.
func shflSource(mode uint8, lane, b, c uint32) (uint32, bool) {
	b, clamp, segment := b&31, c&31, c>>8&31
	low := lane & segment
	high := low | clamp&^segment
	from, in := uint32(0), false
	switch mode {
	case shflUp: // in signed numbers: the lane may be below 0
		from, in = lane-b, int32(lane-b) >= int32(high)
	case shflDown:
		from, in = lane+b, lane+b <= high
	case shflBfly:
		from, in = lane^b, lane^b <= high
	case shflIdx:
		from = low | b&^segment
		in = from <= high
	}
	if !in {
		return lane, false
	}
	return from & 31, true
}

// shflTake takes the word of another lane. One that takes no part gives 0: the manual leaves that open.
func shflTake(w *warp, o *op, lanes uint32) {
	d, bs, cs, words := &w.r32[o.d], &w.r32[o.b], &w.r32[o.c], &w.ex.words
	inside := uint32(0)
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		from, in := shflSource(o.size, uint32(i), bs[i], cs[i])
		if in {
			inside |= 1 << i
		}
		d[i] = words[from&31] & -(lanes >> (from & 31) & 1)
	}
	if p := o.ext.(*meeting).pred; p >= 0 {
		w.p[p] = w.p[p]&^w.mask | inside&w.mask
	}
}

// shflFixed is shflTake where the text says which lanes.
func shflFixed(w *warp, o *op, lanes uint32) {
	m := o.ext.(*meeting)
	t, d, words := m.extra.(*shflTable), &w.r32[o.d], &w.ex.words
	if w.mask == full && lanes == full {
		for i := range 32 {
			d[i] = words[t.from[i]&31]
		}
	} else {
		for m := w.mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			from := t.from[i] & 31
			d[i] = words[from] & -(lanes >> from & 1)
		}
	}
	if m.pred >= 0 {
		w.p[m.pred] = w.p[m.pred]&^w.mask | t.inside&w.mask
	}
}
