package nvrtc

import (
	"bytes"
	"context"
	"fmt"

	"github.com/purecuda/purecuda/dl"
)

// A ProgramConfig describes a program.
type ProgramConfig struct {
	Name    string
	Exports []string
}

// A Program is a source and what was compiled from it.
type Program struct {
	c      *Compiler
	handle handle
	config ProgramConfig
}

// NewProgram makes a program of source.
func (c *Compiler) NewProgram(source string, config ProgramConfig) (*Program, error) {
	src, err := dl.CString(source)
	if err != nil {
		return nil, err
	}
	name, err := dl.CString(config.Name)
	if err != nil {
		return nil, err
	}
	h := new(handle)
	if err := c.api.createProgram(h, &src[0], &name[0], 0, nil, nil); err != nil {
		return nil, err
	}
	p := &Program{c: c, handle: *h, config: config}
	for _, e := range config.Exports {
		b, err := dl.CString(e)
		if err != nil {
			return nil, err
		}
		if err := c.api.addNameExpression(p.handle, &b[0]); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Compile compiles the program.
func (p *Program) Compile(ctx context.Context, options ...string) error {
	args := make([]*byte, len(options)+1)
	for i, o := range options {
		b, err := dl.CString(o)
		if err != nil {
			return err
		}
		args[i] = &b[0]
	}
	if err := p.c.api.compileProgram(p.handle, int32(len(options)), &args[0]); err != nil {
		log, _ := p.Log()
		return fmt.Errorf("nvrtc: compile %s: %w\n%s", p.config.Name, err, log)
	}
	return nil
}

// Log is the compiler's log.
func (p *Program) Log() (string, error) {
	b, err := read(p.handle, p.c.api.getProgramLogSize, p.c.api.getProgramLog)
	return string(bytes.TrimRight(b, "\x00")), err
}

// PTX is the compiled program as PTX.
func (p *Program) PTX() (string, error) {
	b, err := read(p.handle, p.c.api.getPTXSize, p.c.api.getPTX)
	return string(bytes.TrimRight(b, "\x00")), err
}

// CUBIN is the compiled program as machine code.
func (p *Program) CUBIN() ([]byte, error) {
	return read(p.handle, p.c.api.getCUBINSize, p.c.api.getCUBIN)
}

// LoweredName is the mangled name of an export.
func (p *Program) LoweredName(export string) (string, error) {
	b, err := dl.CString(export)
	if err != nil {
		return "", err
	}
	out := new(uintptr)
	if err := p.c.api.getLoweredName(p.handle, &b[0], out); err != nil {
		return "", err
	}
	return dl.GoString(*out), nil
}

func read(h handle, size func(handle, *uint64) error, get func(handle, *byte) error) ([]byte, error) {
	n := new(uint64)
	if err := size(h, n); err != nil || *n == 0 {
		return nil, err
	}
	b := make([]byte, *n)
	return b, get(h, &b[0])
}

// Close frees the program.
func (p *Program) Close() error {
	h := p.handle
	if h == 0 {
		return nil
	}
	p.handle = 0
	return p.c.api.destroyProgram(&h)
}
