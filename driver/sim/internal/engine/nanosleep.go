package engine

import (
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// nanosleep decodes nanosleep.u32 t: others run, and the warp's clock is t later.
// See the PTX ISA manual, "Miscellaneous Instructions: nanosleep".
func (d *decoder) nanosleep(in *ptx.Instruction) error {
	if in.Form() != "nanosleep.u32" || len(in.Operands) != 1 {
		return d.unsupported()
	}
	r, err := d.source(in.Operands[0], "u32")
	if err != nil {
		return err
	}
	d.emit(op{fn: nanosleep, a: r.slot})
	return nil
}

func nanosleep(w *warp, o *op) {
	w.ticks += uint64(w.r32[o.a][bits.TrailingZeros32(w.mask)&31])
	w.yield()
}

// yield lets other lanes, warps and blocks run, for which the running lanes may be waiting.
func (w *warp) yield() {
	w.fuel, w.stop = -1, true
	if len(w.ready) > 0 {
		w.turns, w.hold = 0, quantum
		w.swap(0)
	}
}
