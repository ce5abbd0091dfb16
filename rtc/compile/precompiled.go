package compile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
)

// Precompiled is a Runner that compiles in this process, as InProcess does, and has
// NVRTC read the headers that sources begin with from a precompiled form: the
// second source of the same preamble (the directives before the first other code),
// options and name, for which all headers have the same contents, has a file made
// of it, and those after it use the file. What is compiled, and what errors and
// warnings say, is the same as without. Sources that include nothing at their
// beginning, or have no key, and NVRTCs before 12.8, which know no such files, are
// compiled as by InProcess.
//
// It pays where many sources include the same large headers: ci/BENCHMARKS.md has
// figures. A file has from 7 MB to more than 100 MB, and is of use to the process
// alone that made it; they lie in a folder that Close removes. Those of a process
// that died are removed when the next Precompiled is made for the same folder.
//
// Nil and the zero value compile as InProcess. Safe for concurrent use. The
// Service that has it closes it.
//
// NVIDIA's manual: https://docs.nvidia.com/cuda/nvrtc/index.html#precompiled-headers-cuda-12-8.
type Precompiled struct {
	most    int64
	scratch *scratch

	mu     sync.Mutex
	heads  map[headID]*head
	clock  uint64 // counts what was used
	stats  PrecompiledStats
	closed bool
}

// pchHeap is held while NVRTC's heap for such headers is read, which whoever compiles
// with them does, or changed. It is one for the process, and so for all Precompiled.
var pchHeap sync.RWMutex

// A PrecompiledConfig says where the files are kept. The zero PrecompiledConfig works.
//
// Safe for concurrent use after it is made; its fields must not change.
type PrecompiledConfig struct {
	// Folder is where a folder for the files is made. "": the system's for temporary files.
	Folder string
	// Bytes is the most that the files take up; those that are being made come on top.
	// 0: 1 GiB.
	Bytes int64
}

// PrecompiledStats counts what a Precompiled did so far.
//
// Safe for concurrent use after it is made; its fields must not change.
type PrecompiledStats struct {
	Made   uint64 // files
	Used   uint64 // compiles with one
	Failed uint64 // attempts at either, after which was compiled without
	Files  int    // that there are now
	Bytes  int64  // that they take up
}

// NewPrecompiled makes a Precompiled, and the folder for its files.
func NewPrecompiled(c PrecompiledConfig) (*Precompiled, error) {
	if err := notNegative("the config's Bytes", c.Bytes); err != nil {
		return nil, fmt.Errorf("compile: new precompiled: %w", err)
	}
	s, err := newScratch(cmp.Or(c.Folder, os.TempDir()))
	if err != nil {
		return nil, fmt.Errorf("compile: new precompiled: %w", err)
	}
	return &Precompiled{most: cmp.Or(c.Bytes, 1<<30), scratch: s, heads: map[headID]*head{}}, nil
}

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

// Run compiles r here.
func (p *Precompiled) Run(ctx context.Context, r *Request) (*cache.Entry, error) {
	id, ok := p.identify(ctx, r)
	if !ok {
		return InProcess{}.Run(ctx, r)
	}
	file, use := p.begin(id)
	var a attempt
	switch {
	case file == "":
		return InProcess{}.Run(ctx, r)
	case use:
		a = p.try(ctx, r, "--use-pch="+file, func(a attempt) { p.used(ctx, id, file, a) })
	default:
		a = p.try(ctx, r, "--create-pch="+file, func(a attempt) { p.made(ctx, id, r, file, a) })
	}
	if a.void && ctx.Err() == nil {
		return InProcess{}.Run(ctx, r)
	}
	return a.entry, a.err
}

// identify gives r's head; false if it has none.
func (p *Precompiled) identify(ctx context.Context, r *Request) (headID, bool) {
	if p == nil || p.scratch == nil || !r.Compiler.Features().PCH {
		return headID{}, false
	}
	text := preamble(r.Source)
	if text == "" {
		return headID{}, false
	}
	key, unseen, err := preambleKey(ctx, r, text)
	return headID{r.Compiler, key}, unseen == "" && err == nil
}

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

// Stats counts what was done so far.
func (p *Precompiled) Stats() PrecompiledStats {
	if p == nil {
		return PrecompiledStats{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// Close removes the files. Later calls do nothing; it is safe on nil.
func (p *Precompiled) Close() error {
	if p == nil || p.scratch == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	for _, h := range p.heads {
		p.drop(h)
	}
	if err := p.scratch.remove(); err != nil {
		return fmt.Errorf("compile: close precompiled: %w", err)
	}
	return nil
}
