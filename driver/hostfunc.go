package driver

import (
	"fmt"
	"reflect"
	"runtime"
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
		AsHostFunc(f)
	case *hosted:
		AsHostFunc(f.f)
	}
	return 0
}

var (
	hostRunning atomic.Int32
	asHostFunc  = sync.OnceValue(func() string { return runtime.FuncForPC(reflect.ValueOf(AsHostFunc).Pointer()).Name() })
)

// AsHostFunc calls f as the driver's threads call host functions: [InHostFunc]
// knows. It is for a host function that calls another on a goroutine of its own.
//
//go:noinline
func AsHostFunc(f func()) {
	hostRunning.Add(1)
	defer hostRunning.Add(-1)
	f()
}

// InHostFunc reports whether the goroutine is in a host function, which may
// neither wait for the driver nor call it. It costs next to nothing as long as
// there is none under way.
func InHostFunc() bool { return hostRunning.Load() > 0 && calledBy(asHostFunc()) }

// calledBy reports whether a function is on the goroutine's stack.
func calledBy(name string) bool {
	pcs := make([]uintptr, 64)
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs)
		for frames := runtime.CallersFrames(pcs[:n]); n > 0; {
			f, more := frames.Next()
			if f.Function == name {
				return true
			}
			if !more {
				break
			}
		}
		if n < len(pcs) {
			return false
		}
	}
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
