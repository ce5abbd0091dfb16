package engine

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A bulkCopy is a cp.async.bulk to shared memory whose end an mbarrier object is told of. It is done when somebody waits there.
type bulkCopy struct {
	dst, src []byte
	at       uint64 // where dst lies in shared memory
	barrier  uint64 // and where the object does
}

// A bulkUse is what a cp.async.bulk copies, and how its end is known.
type bulkUse struct {
	size     int32 // the register with the number of bytes
	src      int32 // the register with the source's address
	srcOff   int64
	barrier  int32 // the register with the mbarrier object's address
	barOff   int64
	toShared bool
}

// cpBulk decodes cp.async.bulk between global and shared memory. Copies of tensors and to other blocks are not done.
// See the PTX ISA manual, "Data Movement and Conversion Instructions: Bulk copy".
func (d *decoder) cpBulk(in *ptx.Instruction) error {
	mods, x := in.Modifiers[2:], in.Operands
	if n := len(mods); n > 0 && mods[n-1] == "L2::cache_hint" && len(x) > 3 {
		mods, x = mods[:n-1], x[:len(x)-1]
	}
	is := func(operands int, want ...string) bool { return len(x) == operands && slices.Equal(mods, want) }
	switch {
	case is(0, "commit_group"):
		d.emit(op{fn: commitBulk})
		return nil
	case is(1, "wait_group"), is(1, "wait_group", "read"):
		n, err := d.integer(x[0])
		if err != nil {
			return err
		}
		d.emit(op{fn: waitBulk, imm: n})
		return nil
	case is(2, "prefetch", "L2", "global"):
		d.emit(op{fn: nop})
		return nil
	case is(4, "shared::cluster", "global", "mbarrier::complete_tx::bytes"), is(4, "shared::cta", "global", "mbarrier::complete_tx::bytes"):
		return d.bulk(x, &bulkUse{toShared: true})
	case is(3, "global", "shared::cta", "bulk_group"):
		return d.bulk(x, &bulkUse{})
	}
	return d.unsupported()
}

// bulk emits a copy: [dst], [src], size{, [object]}.
func (d *decoder) bulk(x []ptx.Operand, u *bulkUse) error {
	dst, err := d.address(x[0])
	if err != nil {
		return err
	}
	src, err := d.address(x[1])
	if err != nil {
		return err
	}
	size, err := d.source(x[2], "u32")
	if err != nil {
		return err
	}
	dst, src = d.wide(dst), d.wide(src)
	u.size, u.src, u.srcOff = size.slot, src.base.slot, src.off
	if u.toShared {
		object, err := d.address(x[3])
		if err != nil {
			return err
		}
		object = d.wide(object)
		u.barrier, u.barOff = object.base.slot, object.off
	}
	d.emit(op{fn: bulkIssue, a: dst.base.slot, imm: dst.off, align: 15, slot: d.nextSlot(), ext: u})
	return nil
}

// bulkIssue puts the copies of the running lanes among those to be done.
func bulkIssue(w *warp, o *op) {
	u := o.ext.(*bulkUse)
	if len(w.bulk.copies) > asyncKept {
		w.bulk.finish(full, func(*asyncCopy) bool { return true })
	}
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		size := uint64(w.r32[u.size][i])
		if size%16 != 0 {
			w.fail(o, i, Undefined, fmt.Sprintf("a copy of %d bytes: that is no multiple of 16", size))
			return
		}
		from, to := ptx.SpaceShared, ptx.SpaceGlobal
		if u.toShared {
			from, to = to, from
		}
		dst := w.bytes(o, i, to, w.r64[o.a][i]+uint64(o.imm), size)
		if dst == nil {
			return
		}
		src := w.bytes(o, i, from, w.r64[u.src][i]+uint64(u.srcOff), size)
		if src == nil {
			return
		}
		if !u.toShared {
			w.block.grid.launch.Kernel.program.memory.Written(w.r64[o.a][i]+uint64(o.imm), int64(size))
			w.bulk.copies = append(w.bulk.copies, asyncCopy{dst: dst, src: src, lane: uint8(i), group: w.bulk.groups[i]})
			continue
		}
		if len(w.block.bulk) > asyncKept {
			w.fail(o, i, Undefined, fmt.Sprintf("more than %d copies that nobody waits for", asyncKept))
			return
		}
		w.block.bulk = append(w.block.bulk, bulkCopy{dst, src, w.r64[o.a][i] + uint64(o.imm), w.r64[u.barrier][i] + uint64(u.barOff)})
	}
}

func commitBulk(w *warp, o *op) { w.bulk.commit(w.mask) }

func waitBulk(w *warp, o *op) { w.bulk.wait(w.mask, o.imm) }

// arriveBulk does the copies that the object at a place is told of, where a lane waits for it. It gives the object after that, or says
// what is wrong.
func (b *block) arriveBulk(at uint64, m mbarrierWord) (mbarrierWord, string) {
	kept, wrong := b.bulk[:0], ""
	for _, c := range b.bulk {
		if c.barrier != at {
			kept = append(kept, c)
			continue
		}
		copy(c.dst, c.src)
		if b.watch != nil { // the detectors look no closer
			b.watch.shared.mark(int64(c.at), int64(len(c.dst)), true)
		}
		next, text := m.expect(-int64(len(c.src)))
		if m = next.settled(); text != "" {
			wrong = text
		}
	}
	b.bulk = kept
	return m, wrong
}
