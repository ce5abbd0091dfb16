package compile

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
)

// pchHeap is held while NVRTC's heap for such headers is read, which whoever compiles
// with them does, or changed. It is one for the process, and so for all Precompiled.
var pchHeap sync.RWMutex

// An attempt is what came of a compile with a precompiled header.
type attempt struct {
	entry  *cache.Entry
	err    error
	void   bool // it is to be done without
	status nvrtc.Result
	needs  uint64 // bytes of heap
	log    string
}

// try compiles r with an option for precompiled headers. When NVRTC is through, which
// may be after ctx ended and try returned, it calls then.
func (p *Precompiled) try(ctx context.Context, r *Request, option string, then func(attempt)) (a attempt) {
	pchHeap.RLock()
	var idle <-chan struct{}
	complained := false
	a.entry, a.err = compileHere(ctx, r, func(program *nvrtc.Program) {
		idle = program.Idle()
		a.log = program.Log()
		complained = strings.Contains(a.log, "precompiled header")
		if status, err := program.PCHCreateStatus(); err == nil {
			a.status = status
			a.needs, _ = program.PCHHeapSizeRequired()
		} else {
			a.status = nvrtc.PCHCreate
		}
	}, option, "--pch-messages=false")
	var refused *nvrtc.CompileError
	switch {
	case errors.As(a.err, &refused) && refused.Result == nvrtc.Compilation && !complained:
		refused.Options = slices.Clone(r.Options) // those that the caller knows
	case a.err != nil || complained:
		a.void = true
	}
	done := a
	end := func() {
		pchHeap.RUnlock()
		then(done)
	}
	if ctx.Err() == nil || idle == nil {
		end()
		return a
	}
	go func() {
		<-idle
		end()
	}()
	return a
}
