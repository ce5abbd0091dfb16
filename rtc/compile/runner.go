package compile

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
)

// A Runner runs compiles: in this process, or elsewhere. One that panics in Run fails that
// job alone, with a *PanicError.
//
// Safe for concurrent use.
type Runner interface {
	// Run compiles r, whose Compiler is set, and ends soon after ctx did: until it
	// returns it keeps its turn, a job that ran out of time isn't done, and the
	// Service can't close. So it neither closes the Service nor waits for another of its
	// jobs, which may wait for that turn. NVRTC's refusal is an *nvrtc.CompileError.
	Run(ctx context.Context, r *Request) (*cache.Entry, error)
	// Close ends what runs. The Service that has the Runner calls it.
	Close() error
}

// An OutOfProcess is a Runner that compiles in other processes, which have none of this
// one's variables, and may not have all of its files. What is in the cache then is for
// those who have the same.
//
// Safe for concurrent use.
type OutOfProcess interface {
	Runner
	// Reach is what compiles with c can read: the files in folders, whatever links
	// lead to them. All others don't exist for them. Nil: they can read all. How says
	// in which other way than from disk they read them; "" for none.
	Reach(c *nvrtc.Compiler) (folders []string, how string)
}

// InProcess is the Runner of a Service that was given none: it runs compiles on
// the compiler's own threads. What its context can't stop, before CUDA 12.8, goes
// on there and keeps a thread busy.
//
// Safe for concurrent use.
type InProcess struct{}

// Close does nothing.
func (InProcess) Close() error { return nil }

// Run compiles r here.
func (InProcess) Run(ctx context.Context, r *Request) (*cache.Entry, error) {
	return compileHere(ctx, r, func(*nvrtc.Program) {})
}

// compileHere compiles r with more options in this process, and then shows the
// program to look, whatever came of it. They are before r's, of which the last may lack
// its value.
func compileHere(ctx context.Context, r *Request, look func(*nvrtc.Program), more ...string) (*cache.Entry, error) {
	if r == nil || r.Compiler == nil {
		return nil, fmt.Errorf("compile: run: %w", errNoRequest)
	}
	p, err := r.Compiler.NewProgram(r.Source, nvrtc.ProgramConfig{Name: r.Name, Headers: r.Headers, Exports: r.Exports})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	err = p.Compile(ctx, slices.Concat(more, r.Options)...)
	look(p)
	if err != nil {
		return nil, err
	}
	return entryOf(p, r)
}

// entryOf takes down what a compile made.
func entryOf(p *nvrtc.Program, r *Request) (*cache.Entry, error) {
	options := nvrtc.ParseOptions(r.Options)
	arch, _ := options.Arch()
	e := &cache.Entry{Arch: arch.String(), Log: p.Log(), Compiler: "NVRTC " + r.Compiler.Version().String()}
	if arch.IsZero() {
		e.Arch = ""
	}
	ptx, err := p.PTX()
	if err != nil && !errors.Is(err, nvrtc.ErrNoOutput) {
		return nil, err
	}
	e.PTX = []byte(ptx)
	// The first that there is is what the options asked for.
	for _, o := range []struct {
		kind cache.Kind
		get  func() ([]byte, error)
	}{{cache.OptiXIR, p.OptiXIR}, {cache.LTOIR, p.LTOIR}, {cache.CUBIN, p.CUBIN}} {
		image, err := o.get()
		switch {
		case err == nil:
			e.Kind, e.Image = o.kind, image
		case !errors.Is(err, nvrtc.ErrNoOutput) && !errors.Is(err, errors.ErrUnsupported):
			return nil, err
		}
		if e.Image != nil {
			break
		}
	}
	if e.Image == nil {
		e.Kind, e.Image, e.PTX = cache.PTX, e.PTX, nil
	}
	if len(e.Image) == 0 {
		return nil, fmt.Errorf("with these options the compiler makes nothing that is kept: %w", nvrtc.ErrNoOutput)
	}
	for _, x := range r.Exports {
		lowered, err := p.LoweredName(x)
		if err != nil {
			return nil, err
		}
		if e.Lowered == nil {
			e.Lowered, e.Signatures = map[string]string{}, map[string]string{}
		}
		e.Lowered[x] = lowered
		// A variable's name, and one that is extern "C", has none.
		if sig, err := abi.FromMangled(lowered); err == nil {
			e.Signatures[x] = sig.String()
		}
	}
	return e, nil
}
