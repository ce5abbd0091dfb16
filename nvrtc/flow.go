package nvrtc

import (
	"sync"
	"sync/atomic"

	"github.com/purecuda/purecuda/dl"
)

// A flow is the say in whether one compile goes on. NVRTC calls the one callback
// of the process with the flow's number as payload.
type flow struct {
	id      uintptr
	stopped atomic.Bool
}

var flows struct {
	last atomic.Uintptr
	byID sync.Map // uintptr → *flow
}

// flowCallback answers 1, stop, or 0, go on. Once it has answered 1 it must do
// so until that compile ends, which holds as stopped is never taken back. It
// runs on NVRTC's threads, several at once.
var flowCallback = dl.NewCallback(2, func(args []uintptr) uintptr {
	if f, ok := flows.byID.Load(args[0]); ok && f.(*flow).stopped.Load() {
		return 1
	}
	return 0
})

func newFlow() *flow {
	f := &flow{id: flows.last.Add(1)}
	flows.byID.Store(f.id, f)
	return f
}

// stop makes the compile end soon. f may be nil.
func (f *flow) stop() {
	if f != nil {
		f.stopped.Store(true)
	}
}

// free forgets the flow, when its compile has ended. f may be nil.
func (f *flow) free() {
	if f != nil {
		flows.byID.Delete(f.id)
	}
}

// setFlow has NVRTC ask f while it compiles the program.
func (a *api) setFlow(prog handle, f *flow) error {
	fn, err := a.table.Func(fnSetFlowCallback)
	if err != nil {
		return a.missing(err)
	}
	word, err := flowCallback.For(fn)
	if err != nil {
		return err
	}
	return a.result(fnSetFlowCallback, fn.Call(uintptr(prog), word, f.id))
}
