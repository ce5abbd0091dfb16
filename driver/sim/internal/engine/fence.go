package engine

import (
	"sync/atomic"

	"github.com/purecuda/purecuda/abi/ptx"
)

func init() {
	decoders["fence"] = (*decoder).fence
	decoders["membar"] = (*decoder).fence
}

// fences are the modifiers of fence and membar.
var fences = map[string]bool{
	"sc": true, "acq_rel": true, "acquire": true, "release": true, "cta": true, "cluster": true, "gpu": true, "sys": true, "gl": true,
	"proxy": true, "alias": true, "async": true, "async::generic": true, "global": true, "shared::cta": true, "shared::cluster": true, "generic": true,
	"tensormap::generic": true, "mbarrier_init": true, "sync_restrict::shared::cta": true, "sync_restrict::shared::cluster": true,
}

// fence decodes membar and fence: all of them order everything.
// See the PTX ISA manual, "Parallel Synchronization and Communication Instructions: membar, fence".
func (d *decoder) fence(in *ptx.Instruction) error {
	for _, m := range in.Modifiers {
		if !fences[m] {
			return d.unsupported()
		}
	}
	d.emit(op{fn: fence})
	return nil
}

// fence keeps the host from moving memory accesses past it. Go's atomic operations do, and no other goroutine wants this word.
func fence(w *warp, o *op) { atomic.AddUint32(&w.fences, 1) }
