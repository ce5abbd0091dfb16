package forms

import (
	"bytes"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// untouched is what the bytes of results hold before a kernel runs.
const untouched = 0xa5

// Alone is a PTX text with the kernel of the case and no other.
func (c *Case) Alone() string {
	t, _ := c.Target()
	return (&Module{Target: t, Cases: []*Case{c}}).Text()
}

// Key is the question that the case asks: its kernel and operands.
func (c *Case) Key() string { return golden.Key(c.Text(), c.Operands()...) }

// Run runs the case's kernel in a module that has it.
func (c *Case) Run(m golden.Module) ([]golden.Output, error) {
	in := bytes.Join(c.Operands(), nil)
	if len(in) == 0 {
		in = []byte{0}
	}
	out := bytes.Repeat([]byte{untouched}, c.OutBytes())
	err := m.Run(golden.Launch{Kernel: c.Kernel(), Grid: [3]uint32{uint32(c.Count / blockThreads), 1, 1}, Block: [3]uint32{blockThreads, 1, 1},
		Args: []golden.Arg{{Buffer: in}, {Buffer: out}, {Value: Extra[:]}}})
	if err != nil {
		return nil, err
	}
	var outputs []golden.Output
	for _, name := range c.Out {
		n := kindOf(name).size
		outputs = append(outputs, golden.Output{Width: n, Data: out[: n*c.Count : n*c.Count]})
		out = out[n*c.Count:]
	}
	return outputs, nil
}

// Simulate runs the case on the engine.
func (c *Case) Simulate() ([]golden.Output, error) {
	m, err := golden.Simulated{}.Load(c.Alone())
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return c.Run(m)
}
