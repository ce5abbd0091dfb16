package engine

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Stats is what a launch did.
type Stats struct {
	Steps uint64 // operations of warps
}

// A grid is a launch that runs.
type grid struct {
	launch *Launch
	config *Config
	blocks uint64
	next   atomic.Uint64 // the block to begin next
	steps  atomic.Uint64
	halt   atomic.Bool
	done   <-chan struct{}

	mu    sync.Mutex
	fault *Fault
}

// Run runs a launch and returns when all its blocks have ended. Its error is a [*Fault], or ctx's.
//
// Safe for concurrent use: several launches run side by side.
func Run(ctx context.Context, l *Launch, c *Config) (Stats, error) {
	g := &grid{launch: l, config: c, blocks: uint64(l.Grid[0]) * uint64(l.Grid[1]) * uint64(l.Grid[2]), done: ctx.Done()}
	workers := c.Workers
	if workers <= 0 {
		workers = defaultWorkers()
	}
	if c.Worst {
		workers = 1
	}
	if uint64(workers) > g.blocks {
		workers = int(g.blocks)
	}
	var wg sync.WaitGroup
	for range workers - 1 {
		wg.Go(g.work)
	}
	g.work()
	wg.Wait()
	stats := Stats{Steps: g.steps.Load()}
	if g.fault != nil {
		return stats, g.fault
	}
	return stats, ctx.Err()
}

func defaultWorkers() int {
	if raceEnabled {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// resident is how many blocks a worker runs side by side when they wait for one another.
const resident = 32

// work runs blocks until there are no more. A block that goes on for long makes room for others, for which it may be waiting.
func (g *grid) work() {
	k := g.launch.Kernel
	var running []*block
	begin := func() bool {
		n := g.next.Add(1) - 1
		if n >= g.blocks {
			return false
		}
		b := k.block(g.launch.Block)
		b.begin(g, n)
		running = append(running, b)
		return true
	}
	for at := 0; ; {
		if len(running) == 0 && !begin() {
			return
		}
		at %= len(running)
		b := running[at]
		if b.run() {
			for _, w := range b.warps {
				g.steps.Add(w.steps)
			}
			k.keep(b)
			running = append(running[:at], running[at+1:]...)
			if g.stopped() {
				return
			}
			continue
		}
		if g.launch.Cooperative || len(running) < resident {
			begin()
		}
		at++
	}
}

// stopped reports whether the launch is to end early.
func (g *grid) stopped() bool {
	if g.halt.Load() {
		return true
	}
	select {
	case <-g.done:
		g.halt.Store(true)
		return true
	default:
		return false
	}
}

// fail ends the launch with its first fault.
func (g *grid) fail(f *Fault) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.fault == nil {
		g.fault = f
	}
	g.halt.Store(true)
}
