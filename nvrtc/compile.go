package nvrtc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
)

// Compile compiles the program with the options, which NVRTC gets as they are
// and no others. It may be called again, with other options; the outputs are
// then those of the last compile that ended.
//
// When ctx ends, Compile returns at once with an error that matches ctx.Err().
// From CUDA 12.8 on NVRTC then stops soon after; before, it goes on, and until
// it ends the program is busy and so is one of the compiler's threads.
//
// A refusal by NVRTC gives a *CompileError; an option with a NUL in it a
// *TextError. Warnings are found with Log and Diagnostics.
//
// NVIDIA's manual: https://docs.nvidia.com/cuda/nvrtc/index.html#compilation.
func (p *Program) Compile(ctx context.Context, options ...string) error {
	if err := ctx.Err(); err != nil {
		return p.ended(ctx)
	}
	args := make([]*byte, len(options)+1)
	for i, o := range options {
		b, err := cText(fmt.Sprintf("options[%d]", i), o)
		if err != nil {
			return fmt.Errorf("nvrtc: compile%s: %w", p.label(), err)
		}
		args[i] = &b[0]
	}
	f, err := p.begin(ctx)
	if err != nil {
		return fmt.Errorf("nvrtc: compile%s: %w", p.label(), err)
	}
	log, err := "", error(ErrNotCompiled) // what remains should job panic
	job := func() {
		defer func() { p.end(log, err) }()
		err = p.c.api.compileProgram(p.handle, int32(len(options)), &args[0])
		log = p.readLog()
	}
	defer context.AfterFunc(ctx, f.stop)()
	if waitErr := p.c.threads.do(ctx, job); waitErr != nil {
		if errors.Is(waitErr, errAbandoned) {
			f.stop() // AfterFunc may have been called off before it came to it
		} else {
			p.end("", waitErr) // job never runs
		}
		if ctx.Err() != nil {
			return p.ended(ctx)
		}
		return fmt.Errorf("nvrtc: compile%s: %w", p.label(), waitErr)
	}
	if err == nil {
		return nil
	}
	if errors.Is(err, Cancelled) {
		if ctx.Err() != nil {
			return p.ended(ctx)
		}
		return fmt.Errorf("nvrtc: compile%s: %w", p.label(), ErrClosed)
	}
	return p.compileError(slices.Clone(options), log, err)
}

// begin makes the program busy, and ready to be stopped if ctx can end and NVRTC
// can be: then the flow is not nil.
func (p *Program) begin(ctx context.Context) (*flow, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.usable(); err != nil {
		return nil, err
	}
	p.compiled, p.log, p.diagnostics = false, "", nil
	if err := p.renew(); err != nil {
		return nil, err
	}
	if ctx.Done() != nil && p.c.api.table.Has(fnSetFlowCallback) {
		f := newFlow()
		if err := p.c.api.setFlow(p.handle, f); err != nil {
			f.free()
			return nil, err
		}
		p.flow = f
	}
	p.busy, p.fresh, p.idle = true, false, make(chan struct{})
	return p.flow, nil
}

// end takes down what came of a compile, and frees the program if it was closed
// meanwhile.
func (p *Program) end(log string, err error) {
	diagnostics := ParseLog(log)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy, p.compiled, p.log, p.diagnostics = false, err == nil, log, diagnostics
	p.flow.free()
	p.flow = nil
	if p.closed {
		// Nobody is left to hear of an error.
		_ = p.destroy()
	}
	close(p.idle)
}

// ended is the error of a compile whose context ended.
func (p *Program) ended(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, ctx.Err()) {
		return fmt.Errorf("nvrtc: compile%s: %w: %w", p.label(), ctx.Err(), cause)
	}
	return fmt.Errorf("nvrtc: compile%s: %w", p.label(), ctx.Err())
}

// readLog asks for the log right after the compile, on the same thread.
func (p *Program) readLog() string {
	b, err := p.bytes(p.c.api.getProgramLogSize, p.c.api.getProgramLog)
	if err != nil {
		return ""
	}
	return string(bytes.TrimRight(b, "\x00"))
}

// bytes reads an output: first its size, then the bytes.
func (p *Program) bytes(size func(handle, *uint64) error, get func(handle, *byte) error) ([]byte, error) {
	n := new(uint64)
	if err := size(p.handle, n); err != nil || *n == 0 {
		return nil, err
	}
	b := make([]byte, *n)
	if err := get(p.handle, &b[0]); err != nil {
		return nil, err
	}
	return b, nil
}

// Log is what the compiler wrote during the last compile that ended: warnings
// after one that succeeded, "" when it said nothing. It may hold bytes that are
// no UTF-8, as the source does. It can still be read after Close.
func (p *Program) Log() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log
}

// Diagnostics are the messages in the log. The slice is the caller's.
func (p *Program) Diagnostics() []Diagnostic {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.diagnostics)
}
