package compile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
)

// headID tells a head. A precompiled header is of use to the instance of NVRTC alone that made it.
type headID struct {
	compiler *nvrtc.Compiler
	key      cache.Key
}

// A head is a preamble that was seen.
type head struct {
	used   uint64 // the clock when it was last asked for
	making bool
	file   string // "": there is none
	size   int64
	fails  int
}

const (
	mostHeads = 1000 // that are remembered
	mostFails = 2    // of a head, after which no more is tried
)

// begin gives the file that a compile is to use, or else to make; "" if neither.
func (p *Precompiled) begin(id headID) (file string, use bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return "", false
	}
	p.clock++
	h := p.heads[id]
	switch {
	case h == nil:
		if len(p.heads) >= mostHeads {
			p.forget(p.oldest(func(h *head) bool { return !h.making }))
		}
		p.heads[id] = &head{used: p.clock}
		return "", false
	case h.making || h.fails >= mostFails:
		h.used = p.clock
		return "", false
	case h.file == "":
		h.used, h.making = p.clock, true
		return filepath.Join(p.scratch.path, fmt.Sprintf("%d.pch", p.clock)), false
	}
	h.used = p.clock
	return h.file, true
}

// used takes down how a file served.
func (p *Precompiled) used(ctx context.Context, id headID, file string, a attempt) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch h := p.heads[id]; {
	case !a.void:
		p.stats.Used++
	case ctx.Err() != nil:
	default:
		p.stats.Failed++
		if h != nil && h.file == file { // else it was dropped meanwhile
			h.fails++
			p.drop(h)
		}
	}
}

// made takes down what came of making a file.
func (p *Precompiled) made(ctx context.Context, id headID, r *Request, file string, a attempt) {
	grown := a.status == nvrtc.PCHCreateHeapExhausted && p.grow(r.Compiler, a.needs)
	good := a.status == nvrtc.Success && !a.void && ctx.Err() == nil
	if good && a.log != "" {
		// What NVRTC has to say of a header, it says only when it reads it.
		again := p.try(ctx, r, "--use-pch="+file, func(attempt) {})
		good = !again.void && again.log == a.log
	}
	var size int64
	if info, err := os.Stat(file); err == nil {
		size = info.Size()
	}
	// A header that changed meanwhile may be in it in either form.
	again, _ := p.identify(ctx, r)
	p.mu.Lock()
	defer p.mu.Unlock()
	h := p.heads[id]
	h.making = false
	if grown {
		for other, h := range p.heads {
			if other.compiler == id.compiler {
				p.drop(h) // it was made for the heap that was
			}
		}
	}
	if p.closed {
		_ = p.scratch.remove() // with what was written since
	}
	if !good || size == 0 || size > p.most || again != id || p.closed {
		_ = os.Remove(file)
		if !grown && ctx.Err() == nil {
			p.stats.Failed++
			h.fails++
		}
		return
	}
	h.file, h.size = file, size
	p.stats.Made++
	p.stats.Files++
	p.stats.Bytes += size
	for p.stats.Bytes > p.most {
		p.drop(p.heads[p.oldest(func(o *head) bool { return o.file != "" && o != h })])
	}
}

// grow gives NVRTC's heap for such headers the size that one needs. Not while
// others compile with it.
func (p *Precompiled) grow(c *nvrtc.Compiler, size uint64) bool {
	if size > uint64(p.most) || !pchHeap.TryLock() {
		return false
	}
	defer pchHeap.Unlock()
	have, err := c.PCHHeapSize()
	return err == nil && (have >= size || c.SetPCHHeapSize(size) == nil)
}

// oldest is the head that was not used for longest, of those that will do. p is locked.
func (p *Precompiled) oldest(will func(*head) bool) (oldest headID) {
	var used uint64
	for id, h := range p.heads {
		if will(h) && (used == 0 || h.used < used) {
			oldest, used = id, h.used
		}
	}
	return oldest
}

// forget forgets a head. p is locked.
func (p *Precompiled) forget(id headID) {
	if h := p.heads[id]; h != nil {
		p.drop(h)
		delete(p.heads, id)
	}
}

// drop removes the file of a head. Who is about to read it compiles without. p is locked.
func (p *Precompiled) drop(h *head) {
	if h.file == "" {
		return
	}
	_ = os.Remove(h.file)
	p.stats.Files--
	p.stats.Bytes -= h.size
	h.file, h.size = "", 0
}
