package golden

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/purecuda/purecuda/abi/ptx"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// Simulated is the engine as a [Machine]. The zero Simulated works.
//
// Safe for concurrent use after it is made; its fields must not change.
type Simulated struct {
	Config engine.Config // of the launches; without MaxSteps 2²⁸ operations of a warp count as endless
	Arch   int           // 0 is 90
}

// About says that it is no GPU.
func (s Simulated) About() About { return About{GPU: "simulated", Arch: s.arch()} }

func (s Simulated) arch() int {
	if s.Arch == 0 {
		return 90
	}
	return s.Arch
}

// Close does nothing.
func (s Simulated) Close() error { return nil }

// Load parses and decodes PTX for a memory of its own.
func (s Simulated) Load(text string) (Module, error) {
	tree, err := ptx.Parse(text)
	if err != nil {
		return nil, err
	}
	c := s.Config
	if c.MaxSteps == 0 {
		c.MaxSteps = 1 << 28
	}
	m := &simulated{memory: engine.NewMemory(1 << 32), config: c}
	m.program, err = engine.Load(tree, engine.LoadConfig{Arch: s.arch(), Memory: m.memory, Config: &m.config})
	if err != nil {
		return nil, err
	}
	return m, nil
}

type simulated struct {
	program *engine.Program
	memory  *engine.Memory
	config  engine.Config
}

// Run copies the buffers to memory, runs, and copies them back.
func (m *simulated) Run(l Launch) error {
	k := m.program.Kernel(l.Kernel)
	if k == nil {
		return fmt.Errorf("no kernel %s", l.Kernel)
	}
	if len(l.Args) != len(k.Params) {
		return fmt.Errorf("%s: %d arguments instead of %d", l.Kernel, len(l.Args), len(k.Params))
	}
	params := make([]byte, k.ParamBytes)
	var places []*engine.Allocation
	defer func() {
		for _, a := range places {
			_ = m.memory.Free(a.Base)
		}
	}()
	for i, a := range l.Args {
		p := params[k.Params[i].Offset:][:k.Params[i].Size()]
		if a.Buffer == nil {
			if len(a.Value) != len(p) {
				return fmt.Errorf("%s: argument %d has %d bytes instead of %d", l.Kernel, i, len(a.Value), len(p))
			}
			copy(p, a.Value)
			continue
		}
		at, err := m.memory.Alloc(int64(len(a.Buffer)))
		if err != nil {
			return err
		}
		places = append(places, at)
		copy(at.Data, a.Buffer)
		binary.LittleEndian.PutUint64(p, at.Base)
	}
	_, err := engine.Run(context.Background(), &engine.Launch{Kernel: k, Grid: l.Grid, Block: l.Block, Shared: int(l.Shared), Params: params, Cooperative: l.Cooperative}, &m.config)
	n := 0
	for _, a := range l.Args {
		if a.Buffer != nil {
			copy(a.Buffer, places[n].Data)
			n++
		}
	}
	return err
}

// Global reads a variable.
func (m *simulated) Global(name string, b []byte) error {
	addr, size, ok := m.program.Global(name)
	if !ok {
		return fmt.Errorf("no variable %s", name)
	}
	if int64(len(b)) > size {
		return fmt.Errorf("%s has %d bytes, not %d", name, size, len(b))
	}
	from, err := m.memory.Bytes(addr, int64(len(b)))
	if err != nil {
		return err
	}
	copy(b, from)
	return nil
}

// Close frees the module's variables.
func (m *simulated) Close() error {
	m.program.Unload()
	return nil
}
