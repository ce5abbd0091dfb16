package mutate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/purecuda/purecuda/abi/ptx"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// The limits of a try.
const (
	memory  = 64 << 20
	steps   = 1 << 13 // of a warp
	bufSize = 4096
	slow    = 20 * time.Second // what a try never takes, on a busy machine either
)

// Try loads a module and runs each of its kernels: all that it can do is to refuse, or to end with a fault. Its error is something else
// than that.
//
// Safe for concurrent use.
func Try(m *ptx.Module, c *Choices) error {
	began := time.Now()
	config := &engine.Config{Workers: 1 + c.below(2), Worst: c.below(3) == 0, Seed: 7, MaxSteps: steps, Stack: 4096, Heap: 1 << 16,
		Check: engine.Check{Uninitialised: c.below(3) == 0, Race: c.below(3) == 0, Sync: c.below(3) == 0}, Count: c.below(3) == 0}
	if config.Check.Race {
		config.Workers = 1
	}
	mem := engine.NewMemory(memory)
	if config.Check.Uninitialised {
		mem.RememberWrites()
	}
	p, err := engine.Load(m, engine.LoadConfig{Arch: 90, Memory: mem, Config: config})
	if err != nil {
		return nil // refused
	}
	defer p.Unload()
	a, err := mem.Alloc(bufSize)
	if err != nil {
		return nil // the module has taken all there is
	}
	b, err := mem.Alloc(bufSize)
	if err != nil {
		return nil
	}
	for _, k := range p.Kernels() {
		l := &engine.Launch{Kernel: k, Grid: [3]uint32{2, 1, 1}, Block: block(k), Shared: 512, Params: make([]byte, k.ParamBytes)}
		for at := 0; at+4 <= len(l.Params); {
			if at%8 == 0 && at+8 <= len(l.Params) && c.below(4) > 0 {
				binary.LittleEndian.PutUint64(l.Params[at:], pick(c, []uint64{a.Base, b.Base, a.Base + 256}))
				at += 8
				continue
			}
			binary.LittleEndian.PutUint32(l.Params[at:], uint32(pick(c, numbers[:20])))
			at += 4
		}
		ctx, cancel := context.WithTimeout(context.Background(), slow)
		_, err := engine.Run(ctx, l, config)
		cancel()
		var fault *engine.Fault
		if err != nil && !errors.As(err, &fault) {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
	}
	if d := time.Since(began); d > slow {
		return fmt.Errorf("it took %s", d)
	}
	return nil
}

// block is a size that the kernel allows.
func block(k *engine.Kernel) [3]uint32 {
	if k.Required != [3]uint32{} {
		return k.Required
	}
	n := uint32(64)
	if k.MaxThreads > 0 {
		n = min(n, uint32(k.MaxThreads))
	}
	return [3]uint32{n, 1, 1}
}
