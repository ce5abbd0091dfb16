package graph

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// A Config says how a graph is run. The zero Config has up to eight streams.
//
// Safe for concurrent use after it is made; its fields must not change.
type Config struct {
	Streams  int  // as PlanConfig.Streams
	PerOwner bool // as PlanConfig.PerOwner
}

// A Graph is work of a device, and of others beside it, with what must come before what. [Graph.Run] runs
// it over streams, [Graph.Instantiate] makes a CUDA graph of it.
//
// Safe for concurrent use. The caller closes it, or the device does with what it
// has of it there.
type Graph struct {
	// A replay looks at these, which fit a cache line.
	panicked atomic.Pointer[panicked] // the first that nobody was told of
	dev      *rtc.Device
	last     rtc.Repeat // the last run, and where it was put; guarded by the lock of the device

	native bool // the last run was a CUDA graph with events, whose end is over; guarded likewise
	config Config

	mu       sync.Mutex
	nodes    []*Node
	names    map[string]int // how many nodes have it
	memories map[any]int    // their numbers
	labels   []string       // by number: what errors and pictures call it
	taken    map[string]int // how many labels begin so
	given    map[any]string // by memory: what Label called it
	plan     *Plan          // nil: to be made
	ready    *schedule
	work     *rtc.Work // all that the nodes use
	sites    []*site   // the devices, the graph's own first
	begun    *driver.Event
	over     *driver.Event
	execs    []*Exec
	reached  int // of how many nodes, from the first, there was a run
	closed   bool
	end      sync.Once

	_ [48]byte // has it begin a cache line, see TestCacheLines
}

// New makes an empty graph for a device. Nothing is made there before it runs.
func New(dev *rtc.Device) *Graph { return NewWith(dev, Config{}) }

// NewWith is New with a Config.
func NewWith(dev *rtc.Device, c Config) *Graph {
	g := &Graph{dev: dev, config: c, names: map[string]int{}, memories: map[any]int{}, taken: map[string]int{}, given: map[any]string{}}
	g.site(dev)
	return g
}

// Device is what the graph runs on, but for [Graph.KernelOn] and for work with
// arrays of others; nil has none.
func (g *Graph) Device() *rtc.Device {
	if g == nil {
		return nil
	}
	return g.dev
}

// String is how many nodes there are, and the device.
func (g *Graph) String() string {
	if g.Device() == nil {
		return "no graph"
	}
	return fmt.Sprintf("graph of %d nodes on device %d", len(g.Nodes()), g.dev.Ordinal())
}

// Nodes lists the nodes, in the order in which they were added.
func (g *Graph) Nodes() []*Node {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.nodes)
}

// Label gives an array or a host buffer, with all its views, a name for errors
// and pictures; otherwise it is called by its type and shape.
func (g *Graph) Label(c rtc.Copyable, name string) error {
	if err := g.usable(); err != nil {
		return fmt.Errorf("graph: label: %w", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	p, err := g.placeOf(c)
	if err != nil {
		return fmt.Errorf("graph: label: %w", err)
	}
	g.given[p.Memory] = name
	g.labels[g.memory(p)] = name
	g.plan = nil
	return nil
}

// placeOf is where c is, with the label that it was given, if it was.
func (g *Graph) placeOf(c rtc.Copyable) (rtc.Place, error) {
	p, err := rtc.PlaceOf(c)
	if label := g.given[p.Memory]; label != "" {
		p.Name = fmt.Sprintf("%s (%s)", label, p.Name)
	}
	switch {
	case errors.Is(err, rtc.ErrClosed):
		return p, fmt.Errorf("%s is %w", p.Name, rtc.ErrClosed)
	case err != nil:
		return p, because(err)
	}
	return p, nil
}

// memory is the number of a place's memory.
func (g *Graph) memory(p rtc.Place) int {
	m, ok := g.memories[p.Memory]
	if !ok {
		m = len(g.labels)
		g.memories[p.Memory] = m
		label := g.given[p.Memory]
		if label == "" {
			label = numbered(g.taken, p.Name)
		}
		g.labels = append(g.labels, label)
	}
	return m
}

// numbered is a name, with a number from the second of its bearers on.
func numbered(taken map[string]int, name string) string {
	taken[name]++
	if n := taken[name]; n > 1 {
		return fmt.Sprintf("%s #%d", name, n)
	}
	return name
}

// Plan is the plan of the graph as it is now. A node costs what its NodeConfig
// says, else what the last Trace measured.
func (g *Graph) Plan() (*Plan, error) {
	if err := g.usable(); err != nil {
		return nil, fmt.Errorf("graph: plan: %w", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.planned(); err != nil {
		return nil, fmt.Errorf("graph: plan: %w", err)
	}
	return g.plan, nil
}

// planned makes the plan, if there is none. The lock is held, here and below.
func (g *Graph) planned() error {
	if g.closed {
		return errClosed
	}
	if g.plan != nil {
		return nil
	}
	tasks, err := g.tasks()
	if err != nil {
		return err
	}
	p := &Plan{Tasks: tasks, config: PlanConfig{g.config.Streams, g.config.PerOwner, slices.Clone(g.labels), g.devices()}}
	if err := p.plan(); err != nil {
		return err
	}
	var reads, writes []rtc.Copyable
	for _, n := range g.nodes {
		reads, writes = append(reads, n.reads...), append(writes, n.writes...)
	}
	w, err := rtc.NewWork(g.dev, reads, writes)
	if err != nil {
		return g.explain(because(err))
	}
	g.plan, g.work, g.ready = p, w, nil
	return nil
}

// tasks are the nodes as a plan sees them.
func (g *Graph) tasks() ([]Task, error) {
	tasks := make([]Task, len(g.nodes))
	for i, n := range g.nodes {
		if n.wrong != nil {
			return nil, fmt.Errorf("%s: %w", n.Name(), n.wrong)
		}
		t := &tasks[i]
		*t = Task{Name: n.Name(), Kind: n.kind, Device: n.site, Owner: n.config.Owner, Cost: n.config.Cost, Unordered: n.config.Unordered, After: n.after}
		if t.Cost == 0 {
			t.Cost = n.measured
		}
		for _, part := range []struct {
			from []rtc.Copyable
			to   *[]Use
		}{{n.reads, &t.Reads}, {n.writes, &t.Writes}} {
			for _, c := range part.from {
				p, err := g.placeOf(c)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", n.Name(), err)
				}
				if p.Bytes > 0 {
					*part.to = append(*part.to, Use{g.memory(p), p.Offset, p.Offset + p.Bytes})
				}
			}
		}
	}
	return tasks, nil
}

// devices are their names.
func (g *Graph) devices() []string {
	var names []string
	for _, s := range g.sites {
		names = append(names, fmt.Sprintf("device %d", s.dev.Ordinal()))
	}
	return names
}

// explain names the nodes that use what was closed, where that is why.
func (g *Graph) explain(err error) error {
	if !errors.Is(err, rtc.ErrClosed) {
		return err
	}
	if _, why := g.tasks(); why != nil {
		return why
	}
	return err
}

// Close gives back what the graph has of the device, when its runs have ended,
// and closes what was instantiated from it. A host function that panicked is its
// error if nobody was told. It is safe on nil; later calls do nothing, and those at
// the same time wait.
func (g *Graph) Close() error {
	if g == nil {
		return nil
	}
	if driver.InHostFunc() {
		return fmt.Errorf("graph: close: %w", rtc.ErrInHostFunc)
	}
	var err error
	g.end.Do(func() { err = g.close() })
	if err != nil {
		return fmt.Errorf("graph: close: %w", err)
	}
	return nil
}

// close does not hold the lock while it waits for runs, whose host functions may
// ask for it: once closed is set nobody else uses what is given back here.
func (g *Graph) close() error {
	lost := g.dev.Health() != nil // it was told, and nothing can be given back
	g.mu.Lock()
	g.closed = true
	execs := g.execs
	g.execs = nil
	g.mu.Unlock()
	var errs []error
	for _, x := range execs {
		errs = append(errs, x.raw.Close(), x.from.Close())
	}
	for _, s := range g.sites {
		errs = append(errs, s.close()...)
	}
	errs = append(errs, g.begun.Close(), g.over.Close())
	for _, n := range g.nodes {
		errs = append(errs, n.close())
	}
	if lost {
		errs = nil
	}
	return errors.Join(unlessClosed(append(errs, g.told()))...)
}

// unlessClosed leaves out errors of what the device has closed already.
func unlessClosed(errs []error) []error {
	var left []error
	for _, err := range errs {
		if err != nil && !errors.Is(err, driver.ErrClosed) {
			left = append(left, err)
		}
	}
	return left
}
