package compile

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync"

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
