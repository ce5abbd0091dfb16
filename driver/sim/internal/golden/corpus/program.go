package corpus

import (
	"fmt"
	"strings"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// A Program is a kernel of the corpus with its sizes and inputs.
//
// Safe for concurrent use after it is made; its fields must not change.
type Program struct {
	File   string // "01_axpy"
	Kernel string
	Label  string // tells the programs of one kernel apart
	Grid   [3]uint32
	Block  [3]uint32
	Shared uint32
	Args   []Param
	Runs   int         // how often, on other inputs each time; 0 is once
	Patch  [][2]string // what is replaced in the PTX
}

// A Param is an argument: a buffer, or a number.
//
// Safe for concurrent use after it is made; its fields must not change.
type Param struct {
	Type Type
	N    int // numbers of a buffer, 0 for a number by itself
	Fill Fill
	Out  bool         // the kernel writes it
	Skip map[int]bool // what of it is not compared
	Raw  []byte       // instead of a number: the bytes of an argument of another type
}

// Name tells the program apart from all others.
func (p *Program) Name() string {
	if p.Label != "" {
		return p.File + " " + p.Kernel + " " + p.Label
	}
	return p.File + " " + p.Kernel
}

// runs is how often it runs.
func (p *Program) runs() int { return max(p.Runs, 1) }

// inputs are the arguments of a run.
func (p *Program) inputs(run int) []golden.Arg {
	var args []golden.Arg
	d := golden.NewDice(fmt.Sprintf("%s %d", p.Name(), run))
	for _, a := range p.Args {
		switch {
		case a.Raw != nil:
			args = append(args, golden.Arg{Value: a.Raw})
		case a.N == 0:
			args = append(args, golden.Arg{Value: a.Type.bytes(a.Fill(d, 0))})
		default:
			b := make([]byte, 0, a.N*a.Type.Size())
			for i := range a.N {
				b = append(b, a.Type.bytes(a.Fill(d, i))...)
			}
			args = append(args, golden.Arg{Buffer: b})
		}
	}
	return args
}

// Inputs are the bytes of all arguments of all runs.
func (p *Program) Inputs() [][]byte {
	var all [][]byte
	for run := range p.runs() {
		for _, a := range p.inputs(run) {
			if a.Buffer != nil {
				all = append(all, a.Buffer)
			} else {
				all = append(all, a.Value)
			}
		}
	}
	return all
}

// Run runs the program, all its runs one after the other, in one module of the text. The outputs are those of the buffers that the
// kernel writes, each with all runs.
func (p *Program) Run(m golden.Machine, text string) ([]golden.Output, error) {
	module, err := m.Load(p.patched(text))
	if err != nil {
		return nil, err
	}
	outputs, err := p.in(module)
	if e := module.Close(); err == nil {
		err = e
	}
	return outputs, err
}

func (p *Program) patched(text string) string {
	for _, x := range p.Patch {
		text = strings.ReplaceAll(text, x[0], x[1])
	}
	return text
}

func (p *Program) in(module golden.Module) ([]golden.Output, error) {
	var outputs []golden.Output
	for run := range p.runs() {
		args := p.inputs(run)
		if err := module.Run(golden.Launch{Kernel: p.Kernel, Grid: p.Grid, Block: p.Block, Shared: p.Shared, Args: args}); err != nil {
			return nil, fmt.Errorf("%s, run %d: %w", p.Name(), run, err)
		}
		n := 0
		for i, a := range p.Args {
			if !a.Out {
				continue
			}
			if run == 0 {
				outputs = append(outputs, golden.Output{Width: a.Type.Size()})
			}
			b := args[i].Buffer
			for skip := range a.Skip {
				clear(b[skip*a.Type.Size() : (skip+1)*a.Type.Size()])
			}
			outputs[n].Data = append(outputs[n].Data, b...)
			n++
		}
	}
	return outputs, nil
}
