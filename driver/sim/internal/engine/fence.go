package engine

import (
	"sync/atomic"

	"github.com/purecuda/purecuda/abi/ptx"
)

// fence decodes membar and fence: all of them order everything.
// See the PTX ISA manual, "Parallel Synchronization and Communication Instructions: membar, fence".
func (d *decoder) fence(in *ptx.Instruction) error {
	for _, m := range in.Modifiers {
		switch m {
		case "sc", "acq_rel", "acquire", "release", "cta", "cluster", "gpu", "sys", "gl", "proxy", "alias", "async", "async::generic", "global",
			"shared::cta", "shared::cluster", "generic", "tensormap::generic", "mbarrier_init", "sync_restrict::shared::cta",
			"sync_restrict::shared::cluster":
		default:
			return d.unsupported()
		}
	}
	d.emit(op{fn: fence})
	return nil
}

// fence keeps the host from moving memory accesses past it. Go's atomic operations do, and no other goroutine wants this word.
func fence(w *warp, o *op) { atomic.AddUint32(&w.fences, 1) }
