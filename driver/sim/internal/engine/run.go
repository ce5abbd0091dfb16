package engine

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
)

// Stats is what a launch did.
type Stats struct {
	Steps  uint64  // operations of warps
	Counts *Counts // nil without Config.Count
	Timer  uint64  // the last %globaltimer that it read; 0 where it read none
}

// A grid is a launch that runs. Kernels keep theirs for launches to come, so that a launch allocates nothing.
type grid struct {
	launch  *Launch
	config  *Config
	blocks  uint64
	next    atomic.Uint64 // the block to begin next
	steps   atomic.Uint64
	halt    atomic.Bool
	began   uint64        // Config.Timer when it began
	timer   atomic.Uint64 // the last %globaltimer that was read in it
	done    <-chan struct{}
	workers sync.WaitGroup
	start   func() // a worker, once it is a goroutine

	mu    sync.Mutex
	fault *Fault
	race  *raceGrid
	all   *Counts // nil where nobody asks
}

func newGrid() *grid {
	g := &grid{}
	g.start = func() {
		defer g.workers.Done()
		g.work()
	}
	return g
}

// alone is the number of threads up to which one goroutine does a launch sooner than it would start others.
const alone = 4096

// Run runs a launch and returns when all its blocks have ended. Its error is a [*Fault]: where ctx ended, one that says where a thread was then, or that
// of the context if by then all had ended.
//
// Safe for concurrent use: several launches run side by side.
func Run(ctx context.Context, l *Launch, c *Config) (Stats, error) {
	if c.Check.Race && uint64(l.Grid[0])*uint64(l.Grid[1])*uint64(l.Grid[2])*uint64(l.Block[0]*l.Block[1]*l.Block[2]) > 1<<32 {
		return Stats{}, errors.New("races can be looked for among 2^32 threads")
	}
	g := l.Kernel.pool.grid()
	g.launch, g.config, g.done = l, c, ctx.Done()
	g.blocks = uint64(l.Grid[0]) * uint64(l.Grid[1]) * uint64(l.Grid[2])
	g.next.Store(0)
	g.steps.Store(0)
	g.timer.Store(0)
	g.began = 0
	if c.Timer != nil {
		g.began = c.Timer.Load()
	}
	g.halt.Store(false)
	g.fault = nil
	workers := c.Workers
	if workers <= 0 {
		workers = defaultWorkers()
		if g.blocks*uint64(l.Block[0]*l.Block[1]*l.Block[2]) <= alone {
			workers = 1
		}
	}
	if c.Worst || c.Check.Race || raceEnabled {
		workers = 1
	}
	if c.Check.Race {
		g.race = newRaceGrid(l)
	}
	if c.Count {
		g.all = &Counts{}
	}
	if uint64(workers) > g.blocks {
		workers = int(g.blocks)
	}
	for range workers - 1 {
		g.workers.Add(1)
		go g.start()
	}
	g.work()
	g.workers.Wait()
	if g.fault == nil {
		g.cut()
	}
	stats, fault := Stats{Steps: g.steps.Load(), Counts: g.all, Timer: g.timer.Load()}, g.fault
	l.Kernel.pool.keepGrid(g)
	if fault != nil {
		return stats, fault
	}
	return stats, ctx.Err() // it has done all
}

func defaultWorkers() int { return runtime.GOMAXPROCS(0) }

// resident is how many blocks a worker runs side by side when they wait for one another.
const resident = 32

// begin makes the next block of the grid one of a worker's, and reports whether there was one.
func (g *grid) begin(running []*block) ([]*block, bool) {
	n := g.next.Add(1) - 1
	if n >= g.blocks {
		return running, false
	}
	b := g.launch.Kernel.pool.block(g.launch)
	b.begin(g, n)
	return append(running, b), true
}

// work runs blocks until there are no more. A block that goes on for long makes room for others, for which it may be waiting.
func (g *grid) work() {
	pool := &g.launch.Kernel.pool
	running := pool.list()
	defer func() { pool.keepList(running) }()
	for at := 0; ; {
		if len(running) == 0 {
			var more bool
			if running, more = g.begin(running); !more {
				return
			}
		}
		at %= len(running)
		b := running[at]
		if b.run() {
			for _, w := range b.warps {
				g.steps.Add(w.steps)
			}
			g.count(b)
			if g.stopped() {
				return
			}
			if len(running) == 1 { // the next one in the same place
				if n := g.next.Add(1) - 1; n < g.blocks {
					b.begin(g, n)
					continue
				}
			}
			pool.keep(b)
			running = append(running[:at], running[at+1:]...)
			continue
		}
		if g.launch.Cooperative || len(running) < resident {
			running, _ = g.begin(running)
		}
		at++
	}
}

// count adds what a block that is done has counted.
func (g *grid) count(b *block) {
	if b.watch == nil || b.watch.counts == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all.add(b.watch.counts)
}

// stopped reports whether the launch is to end early.
func (g *grid) stopped() bool {
	if g.halt.Load() {
		return true
	}
	if g.ended() {
		g.halt.Store(true)
		return true
	}
	return false
}

// cut has it said which block was to begin next when the launch's context ended, if that is why it stops and one was: who stops in a block says where.
func (g *grid) cut() {
	if n := g.next.Load(); n < g.blocks && g.ended() {
		l := g.launch
		g.fail(&Fault{Kind: Endless, Kernel: l.Kernel.Name, Block: blockIndex(l, n), Detail: "it was still running and was stopped before this block began"})
	}
}

// ended reports whether the launch's context has ended.
func (g *grid) ended() bool {
	select {
	case <-g.done:
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
