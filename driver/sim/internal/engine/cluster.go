package engine

import (
	"math/bits"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A cluster is a block of its own here. At its barrier threads arrive and wait apart from each other.
// See the PTX ISA manual, "Parallel Synchronization and Communication Instructions: barrier.cluster".
type clusterState struct {
	arrived uint32 // lanes that wait for others to arrive, or will
	over    uint32 // lanes that have not waited yet, and need not
}

// clustered reports whether a kernel of the module asks for clusters of several blocks. It runs here as long as it can't tell.
func clustered(m *ptx.Module) bool {
	for _, it := range m.Items {
		f, ok := it.(*ptx.Function)
		if !ok {
			continue
		}
		size, _ := f.Directive("reqnctapercluster")
		for _, n := range size {
			if n > 1 {
				return true
			}
		}
	}
	return false
}

// tellsClusters reports whether an instruction differs in a cluster of several blocks.
func tellsClusters(in *ptx.Instruction) bool {
	switch in.Opcode {
	case "fence", "membar":
		return false
	case "mapa", "getctarank":
		return true
	case "barrier":
		return in.Has("cluster")
	}
	for _, m := range in.Modifiers {
		if m == "shared::cluster" || m == "multicast::cluster" {
			return true
		}
	}
	for _, x := range in.Operands {
		if s, ok := x.(*ptx.Special); ok && strings.Contains(s.Name, "cluster") {
			return true
		}
	}
	return false
}

// atCluster stands for a barrier where threads wait for their cluster.
const atCluster = 16

// barCluster decodes barrier.cluster.arrive and .wait, which order memory in any case here.
func (d *decoder) barCluster(in *ptx.Instruction) error {
	o := op{}
	for _, m := range in.Modifiers {
		switch m {
		case "cluster", "aligned", "release", "relaxed", "acquire":
		case "arrive":
			o.fn = clusterArrive
		case "wait":
			o.fn = clusterWait
		default:
			return d.unsupported()
		}
	}
	if o.fn == nil || len(in.Operands) != 0 {
		return d.unsupported()
	}
	d.emit(o)
	return nil
}

func clusterArrive(w *warp, o *op) {
	if again := w.mask & (w.cluster.arrived | w.cluster.over); again != 0 {
		w.fail(o, bits.TrailingZeros32(again), Undefined, "the thread has arrived and not waited yet")
		return
	}
	w.cluster.arrived |= w.mask
	w.block.arrivals += bits.OnesCount32(w.mask)
	w.block.releaseCluster()
}

func clusterWait(w *warp, o *op) {
	if never := w.mask &^ (w.cluster.arrived | w.cluster.over); never != 0 {
		w.fail(o, bits.TrailingZeros32(never), Undefined, "the thread waits and has not arrived")
		return
	}
	w.cluster.over &^= w.mask
	lanes := w.mask & w.cluster.arrived
	if lanes == 0 {
		return
	}
	w.park(atCluster, o, lanes)
	if lanes == w.mask {
		w.act.users--
		w.next()
		return
	}
	w.setMask(w.mask &^ lanes)
}

// releaseCluster completes the barrier if every thread has arrived or ended.
func (b *block) releaseCluster() {
	for _, w := range b.warps {
		if w.cluster.arrived|w.dead != full {
			return
		}
	}
	b.arrivals = 0
	for _, w := range b.warps {
		w.cluster.over, w.cluster.arrived = w.cluster.arrived, 0
		w.unpark(func(p *parked) bool {
			if p.barrier == atCluster {
				w.cluster.over &^= p.mask
				return true
			}
			return false
		})
	}
}

// mapa decodes mapa{.shared::cluster}.TYPE d, a, rank: the address in the shared memory of a block of the cluster, of which there is one.
// See the PTX ISA manual, "Data Movement and Conversion Instructions: mapa".
func (d *decoder) mapa(in *ptx.Instruction) error {
	k := kind("")
	for _, m := range in.Modifiers {
		switch m {
		case "shared::cluster":
		case "u32", "u64":
			k = kind(m)
		default:
			return d.unsupported()
		}
	}
	if k == "" || len(in.Operands) != 3 {
		return d.unsupported()
	}
	from, err := d.source(in.Operands[1], k)
	if err != nil {
		return err
	}
	rank, err := d.source(in.Operands[2], "u32")
	if err != nil {
		return err
	}
	to, err := d.dest(in.Operands[0], k)
	if err != nil {
		return err
	}
	d.emit(op{fn: checkRank, a: rank.slot})
	d.move(to, from)
	return nil
}

func checkRank(w *warp, o *op) {
	a := &w.r32[o.a]
	for m := w.mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros32(m) & 31; a[i] != 0 {
			w.fail(o, i, Undefined, "the cluster has one block only")
			return
		}
	}
}

// getctarank decodes getctarank{.shared::cluster}.TYPE d, a: 0.
func (d *decoder) getctarank(in *ptx.Instruction) error {
	if len(in.Operands) != 2 {
		return d.unsupported()
	}
	to, err := d.dest(in.Operands[0], "u32")
	if err != nil {
		return err
	}
	d.move(to, d.const32(0))
	return nil
}
