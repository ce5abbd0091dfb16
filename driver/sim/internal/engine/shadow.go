package engine

import (
	"fmt"
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A shadow says of a register's value which of its bytes come from memory that nobody wrote: a bit for each in the low 8 bits. The others are the
// number of the load that it comes from, as origin has it. 0 is a value that is good.
const (
	shadowBytes = 0xff
	shadowShift = 8
)

// A memoryUse is what the operations that watch an access know of it.
type memoryUse struct {
	space ptx.Space // "" is generic
}

// An origin is a load of unwritten bytes by a lane. A warp remembers the last of them.
type origin struct {
	number uint32 // 24 bits of it
	fn     *function
	inst   int32
	lane   int
	what   string
}

const originsKept = 1024

// origin remembers a load and gives its number.
func (w *warp) origin(o *op, lane int, s spot, addr, size uint64, not uint32) uint32 {
	w.watch.origins++
	n := w.watch.origins & 0xffffff
	if w.watch.ring == nil {
		w.watch.ring = make([]origin, originsKept)
	}
	w.watch.ring[n%originsKept] = origin{n, w.act.fn, o.inst, lane, w.unwritten(s, addr, size, not)}
	return n
}

// unwritten describes bytes that nobody wrote.
func (w *warp) unwritten(s spot, addr, size uint64, not uint32) string {
	which := fmt.Sprintf("%d of the %d bytes", bits.OnesCount32(not), size)
	if bits.OnesCount32(not) == int(size) {
		which = fmt.Sprintf("%d bytes", size)
	}
	return fmt.Sprintf("nobody has written %s at %s", which, w.describe(s, addr))
}

// describe says where a spot is.
func (w *warp) describe(s spot, addr uint64) string {
	if s.space == ptx.SpaceGlobal {
		return fmt.Sprintf("%#x, %s", addr, w.block.grid.launch.Kernel.program.memory.Describe(addr))
	}
	return fmt.Sprintf("%#x of %s memory", s.off, s.space)
}

// loadShadow gives a register the shadow of what is loaded: before the load, which may fail.
func loadShadow(w *warp, o *op) {
	d, as, use, size := &w.r32[o.d], &w.r64[o.a], o.ext.(*memoryUse), uint64(o.size)
	if w.block.watch == nil {
		return
	}
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		addr := as[i] + uint64(o.imm)
		d[i] = 0
		s := w.spot(o, i, use.space, addr, size)
		if not := s.written.unwritten(s.off, size); not != 0 {
			d[i] = w.origin(o, i, s, addr, size, not)<<shadowShift | not
		}
	}
}

// storeShadow makes memory as written as the register with the shadow o.d.
func storeShadow(w *warp, o *op) {
	d, as, use, size := &w.r32[o.d], &w.r64[o.a], o.ext.(*memoryUse), uint64(o.size)
	if w.block.watch == nil {
		return
	}
	for m := w.addressed(o); m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		if s := w.spot(o, i, use.space, as[i]+uint64(o.imm), size); s.written != nil {
			s.written.set(s.off, size, d[i]&shadowBytes)
		}
	}
}

// updateShadow looks at memory that an atomic operation changes: it uses what is there.
func updateShadow(w *warp, o *op) {
	as, use, size := &w.r64[o.a], o.ext.(*memoryUse), uint64(o.size)
	if w.block.watch == nil {
		return
	}
	for m := w.addressed(o); m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		for n := range uint64(o.b) {
			addr := as[i] + uint64(o.imm) + n*size
			s := w.spot(o, i, use.space, addr, size)
			if not := s.written.unwritten(s.off, size); not != 0 {
				w.fail(o, i, Uninitialised, w.unwritten(s, addr, size, not))
				return
			}
		}
	}
}

// useShadow ends the launch where a value that is used now was not written.
func useShadow(w *warp, o *op) {
	a := &w.r32[o.a]
	for m := w.mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros32(m) & 31; a[i]&shadowBytes != 0 {
			w.uninitialised(o, i, a[i], "used")
			return
		}
	}
}

// storeAll ends the launch where nothing of what is stored was written: see uses.
func storeAll(w *warp, o *op) {
	all := uint32(1)<<o.size - 1
next:
	for m := w.mask; m != 0; m &= m - 1 {
		i, v := bits.TrailingZeros32(m)&31, uint32(0)
		for _, slot := range o.ext.([]int32) {
			if v = w.r32[slot][i]; v&all != all {
				continue next
			}
		}
		w.uninitialised(o, i, v, "stored")
		return
	}
}

// clearShadow says of a register that its value is good.
func clearShadow(w *warp, o *op) {
	d := &w.r32[o.d]
	each(w.mask, func(i int) { d[i] = 0 })
}

// uninitialised ends the launch, at the load that a lane's value comes from.
func (w *warp) uninitialised(o *op, lane int, shadow uint32, how string) {
	if w.block.watch == nil {
		return
	}
	p := w.block.grid.launch.Kernel.program
	at := p.where(&w.act.fn.insts[o.inst])
	n := shadow >> shadowShift
	if w.watch.ring == nil || w.watch.ring[n%originsKept].number != n {
		w.fail(o, lane, Uninitialised, fmt.Sprintf("bytes of the value that is %s here were loaded long ago from where nobody has written", how))
		return
	}
	from := &w.watch.ring[n%originsKept]
	w.stop = true
	if w.fault == nil {
		w.fault = w.block.faultAt(w, &activation{fn: from.fn}, &op{inst: from.inst}, lane, Uninitialised, fmt.Sprintf("%s; the value is %s at %s", from.what, how, at))
	}
}

// freshFrame says of the local memory of a function's frame that nobody has written it.
func freshFrame(w *warp, o *op) {
	n := int64(w.act.fn.local)
	if n == 0 || w.block.watch == nil || w.block.watch.locals == nil {
		return
	}
	each(w.mask, func(i int) {
		m := w.block.watch.local(w, i)
		m.grow(int64(w.act.local) + n)
		m.mark(int64(w.act.local), n, false)
	})
}

// printed looks at a value that printf prints.
func (w *warp) printed(o *op, lane int, addr, size uint64) {
	if w.block.watch == nil || w.fault != nil {
		return
	}
	s := w.spot(o, lane, "", addr, size)
	if not := s.written.unwritten(s.off, size); not != 0 {
		w.fail(o, lane, Uninitialised, w.unwritten(s, addr, size, not))
	}
}
