package driver

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/purecuda/purecuda/dl"
)

// A LinkInput is a kind of code that the linker takes.
type LinkInput int32

// The kinds that the driver documents.
const (
	LinkCubin   LinkInput = 0 // CU_JIT_INPUT_CUBIN
	LinkPTX     LinkInput = 1 // CU_JIT_INPUT_PTX
	LinkFatbin  LinkInput = 2 // CU_JIT_INPUT_FATBINARY
	LinkObject  LinkInput = 3 // CU_JIT_INPUT_OBJECT: a host object with device code in it
	LinkArchive LinkInput = 4 // CU_JIT_INPUT_LIBRARY: a .a with device code in it
)

// A Linker is the driver's own: it makes one cubin of several pieces of code.
// Package driver/jitlink has nvJitLink, which needs no driver.
//
// Safe for concurrent use. Calls take turns.
//
// Manual: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html
type Linker struct {
	ctx    *Context
	handle linkHandle
	run    *jitRun
	life   lifetime
	mu     sync.Mutex
}

// NewLinker begins a link for the context's device.
func (c *Context) NewLinker(config LoadConfig) (*Linker, error) {
	l := &Linker{ctx: c, run: config.run()}
	err := c.Do(func() error {
		n, names, values := l.run.options.arrays()
		return c.api.linkCreate(n, names, values, &l.handle)
	})
	if err != nil {
		return nil, explain(err, "begin a link", "")
	}
	c.driver.counts.others.Add(1)
	if !c.children.add(l) {
		_ = l.Close()
		return nil, c.closedError()
	}
	return l, nil
}

func (l *Linker) closedError() error { return fmt.Errorf("driver: linker: %w", ErrClosed) }

// Add adds a piece of code; the name is for messages.
func (l *Linker) Add(kind LinkInput, data []byte, name string) error {
	op := "add " + name + " to the link"
	data, err := terminated(data, op)
	if err != nil {
		return err
	}
	cname, err := dl.CString(name)
	if err != nil {
		return &opError{op, err}
	}
	if !l.life.enter() {
		return l.closedError()
	}
	defer l.life.leave()
	l.mu.Lock()
	defer l.mu.Unlock()
	err = l.ctx.Do(func() error {
		return l.ctx.api.linkAddData(l.handle, kind, firstByte(data), uint64(len(data)), &cname[0], 0, nil, nil)
	})
	runtime.KeepAlive(data)
	runtime.KeepAlive(l.run)
	if err != nil {
		return explain(err, op, l.ctx.loadDetail(err, data, l.run.log()))
	}
	return nil
}

// Complete links, and gives the cubin.
func (l *Linker) Complete() ([]byte, error) {
	if !l.life.enter() {
		return nil, l.closedError()
	}
	defer l.life.leave()
	l.mu.Lock()
	defer l.mu.Unlock()
	p, n := new(uintptr), new(uint64)
	err := l.ctx.Do(func() error { return l.ctx.api.linkComplete(l.handle, p, n) })
	runtime.KeepAlive(l.run)
	if err != nil {
		return nil, explain(err, "link", l.ctx.loadDetail(err, nil, l.run.log()))
	}
	return slices.Clone(foreign(*p, *n)), nil // the driver's is gone after Close
}

// Log is what the linker has said so far.
func (l *Linker) Log() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run.log()
}

// Close ends the link. It is safe on nil and more than once.
func (l *Linker) Close() error {
	if l == nil {
		return nil
	}
	return l.life.close(func() error {
		c := l.ctx
		err := c.bind(func() error { return c.api.linkDestroy(l.handle) })
		runtime.KeepAlive(l.run)
		c.children.drop(l)
		c.driver.counts.others.Add(-1)
		return c.afterFault(err, "end a link")
	})
}
