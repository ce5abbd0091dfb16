package driver

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/purecuda/purecuda/dl"
)

// One callback serves all host functions: the driver passes a number on, by
// which the Go function is found.
var (
	hostCallback = dl.NewCallback(1, runHostFunc)
	hostFuncs    sync.Map // uintptr → func(), or *hosted
	lastHostFunc atomic.Uintptr
)

func runHostFunc(args []uintptr) uintptr {
	f, _ := hostFuncs.Load(args[0])
	switch f := f.(type) {
	case func(): // of a stream, for once
		hostFuncs.Delete(args[0])
		f()
	case *hosted:
		f.f()
	}
	return 0
}

// A hosted is a function of the host in graphs, which is kept as long as one of
// those is open.
type hosted struct {
	id     uintptr
	f      func()
	graphs atomic.Int32
}

// holdAll keeps functions for one more graph.
func holdAll(all []*hosted) []*hosted {
	for _, h := range all {
		h.graphs.Add(1)
	}
	return all
}

// dropAll is called when a graph is gone.
func dropAll(all []*hosted) {
	for _, h := range all {
		if h.graphs.Add(-1) == 0 {
			hostFuncs.Delete(h.id)
		}
	}
}

// AddHostFunc puts a function of the host into the stream: it is called, on a
// thread of the driver's, when all that was put in before has ended, and what comes
// after waits for it. f must not call the driver, must not panic and should be
// quick: telling a channel with room is what it is for. If the GPU is lost, f is
// never called. Since CUDA 10.0.
func (s *Stream) AddHostFunc(f func()) error {
	fn, err := s.ctx.api.unguarded.Func(fnLaunchHostFunc)
	if err != nil {
		return &opError{"add host function", s.ctx.api.missing(err)}
	}
	addr, err := hostCallback.For(fn)
	if err != nil {
		return fmt.Errorf("driver: add host function: %w", err)
	}
	id := lastHostFunc.Add(1)
	hostFuncs.Store(id, f)
	err = s.use("add host function", func() error {
		return s.ctx.api.call(fnLaunchHostFunc, uintptr(s.handle), addr, id)
	})
	if err != nil {
		hostFuncs.Delete(id)
	}
	return err
}
