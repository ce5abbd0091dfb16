package nvrtc

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// A ProgramConfig describes a program. The zero ProgramConfig is a program
// without a name, headers or exports.
//
// Safe for concurrent use after it is made; its fields must not change.
type ProgramConfig struct {
	// Name is what diagnostics call the source. NVRTC looks for quoted includes
	// in the folder of that name, the working directory if it has none, before any -I.
	// Empty: NVRTC calls it default_program.
	Name string
	// Headers are files in memory, by the text that includes them. NVRTC
	// compares texts: a header "sub/x.h" that includes "y.h" gets the header
	// "y.h", not "sub/y.h", and "../z.h" and "./z.h" find only headers of
	// exactly these names. They come before files of the same name.
	Headers map[string]string
	// Exports are the name expressions whose lowered names will be asked for,
	// such as axpy<float>: kernels, and &variable for __constant__ and
	// __device__ variables. NVRTC gets each byte for byte. From CUDA 8.0.
	Exports []string
}

// A Program is a source and what was compiled from it. It must be closed.
//
// Safe for concurrent use. One compile runs at a time; while it does, also
// after its context has ended, the other methods give ErrBusy, but for Log,
// Diagnostics and Close.
type Program struct {
	c       *Compiler
	name    string
	exports []string
	headers []string // their names

	src, cname []byte // for C
	texts      [][]byte
	names      [][]byte // of the headers
	cexports   [][]byte

	mu          sync.Mutex
	handle      handle
	fresh       bool  // the handle has not been compiled
	flow        *flow // of the compile that runs; nil: it can't be stopped
	busy        bool
	idle        chan struct{} // closed when the compile that runs ends; nil: there was none
	closed      bool
	compiled    bool
	log         string
	diagnostics []Diagnostic
}

// NewProgram makes a program of source, CUDA C++ in UTF-8. A byte order mark at
// its beginning is left out, here and in headers; NUL bytes, UTF-16, and lines
// that end with CR alone, where NVRTC would not see what follows, give a
// *TextError; all else reaches NVRTC as it is. With an NVRTC before 8.0,
// Exports give an *UnsupportedError.
func (c *Compiler) NewProgram(source string, config ProgramConfig) (*Program, error) {
	p := &Program{c: c, name: config.Name, exports: slices.Clone(config.Exports)}
	if err := p.create(source, config.Headers); err != nil {
		return nil, fmt.Errorf("nvrtc: new program%s: %w", p.label(), err)
	}
	return p, nil
}

func (p *Program) create(source string, headers map[string]string) (err error) {
	if p.cexports, err = p.exportTexts(); err != nil {
		return err
	}
	if p.src, err = cSource("source", source); err != nil {
		return err
	}
	if p.cname, err = cText("name", p.name); err != nil {
		return err
	}
	p.headers = slices.Sorted(maps.Keys(headers))
	for _, h := range p.headers {
		name, err := cText(fmt.Sprintf("header name %q", h), h)
		if err != nil {
			return err
		}
		text, err := cSource(fmt.Sprintf("header %q", h), headers[h])
		if err != nil {
			return err
		}
		p.names, p.texts = append(p.names, name), append(p.texts, text)
	}
	if err := p.c.adopt(p); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.renew(); err != nil {
		return errors.Join(err, p.destroy())
	}
	return nil
}

// renew gives the program a handle that has not been compiled: NVRTC lets one be
// compiled again, but then outputs of the earlier compile that the later one
// does not make are still there. p.mu is held.
func (p *Program) renew() error {
	if p.fresh {
		return nil
	}
	if err := p.release(); err != nil {
		return err
	}
	h, names, texts := new(handle), pointers(p.names), pointers(p.texts)
	if err := p.c.api.createProgram(h, &p.src[0], &p.cname[0], int32(len(p.names)), &texts[0], &names[0]); err != nil {
		return err
	}
	p.handle, p.fresh = *h, true
	for i, e := range p.cexports {
		if err := p.c.api.addNameExpression(p.handle, &e[0]); err != nil {
			return fmt.Errorf("export %q: %w", p.exports[i], err)
		}
	}
	return nil
}

// pointers is the array of C strings, and one element more, so that there is a
// first one to point at.
func pointers(texts [][]byte) []*byte {
	out := make([]*byte, len(texts)+1)
	for i, text := range texts {
		out[i] = &text[0]
	}
	return out
}

// exportTexts are the exports for C; none may be there when NVRTC knows none.
func (p *Program) exportTexts() ([][]byte, error) {
	var texts [][]byte
	if len(p.exports) > 0 {
		if _, err := p.c.api.table.Func(fnAddNameExpression); err != nil {
			return nil, fmt.Errorf(`%w: leave Exports empty, declare the kernels extern "C" and use their plain names (a template needs one such kernel for each set of its arguments)`, p.c.api.missing(err))
		}
	}
	for i, e := range p.exports {
		b, err := cText(fmt.Sprintf("exports[%d]", i), e)
		if err != nil {
			return nil, err
		}
		texts = append(texts, b)
	}
	return texts, nil
}

// Idle is closed while nothing is compiled: also when Compile returned because its
// context ended, NVRTC may go on, and write the files that options name.
func (p *Program) Idle() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idle == nil {
		p.idle = make(chan struct{})
		close(p.idle)
	}
	return p.idle
}

// Name is the program's name, as it was configured.
func (p *Program) Name() string { return p.name }

// label is the name for messages, with a blank before it.
func (p *Program) label() string {
	if p.name == "" {
		return ""
	}
	return " " + p.name
}

// Close frees the program. It returns at once: a program that is being compiled
// is freed when that compile ends, which is soon if its context could have
// stopped it. It may be called several times, and on nil.
func (p *Program) Close() error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	if p.busy {
		p.flow.stop()
		return nil
	}
	return p.destroy()
}

// destroy frees what the program holds. p.mu is held and nothing runs.
func (p *Program) destroy() error {
	p.c.disown(p)
	p.src, p.texts = nil, nil
	if err := p.release(); err != nil {
		return fmt.Errorf("nvrtc: close program%s: %w", p.label(), err)
	}
	return nil
}

// release destroys the handle. p.mu is held and nothing runs.
func (p *Program) release() error {
	h := p.handle
	if h == 0 {
		return nil
	}
	p.handle, p.fresh = 0, false
	return p.c.api.destroyProgram(&h)
}

// use runs f, which asks NVRTC about the program, unless it is closed or busy.
func (p *Program) use(what string, f func() error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.usable()
	if err == nil {
		err = f()
	}
	if err != nil {
		return fmt.Errorf("nvrtc: %s%s: %w", what, p.of(), err)
	}
	return nil
}

// usable gives ErrClosed or ErrBusy. p.mu is held.
func (p *Program) usable() error {
	switch {
	case p.closed:
		return ErrClosed
	case p.busy:
		return ErrBusy
	}
	return nil
}

func (p *Program) of() string {
	if p.name == "" {
		return ""
	}
	return " of " + p.name
}
