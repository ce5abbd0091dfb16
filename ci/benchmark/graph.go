package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

// The graph that is measured: the kernel so many times in a row, each after the one before, since all write one array.
const (
	kernels = 100
	changed = kernels / 2 // whose argument is changed
)

// How many replays are a block. Few, since the GPU takes some seventy times as long for one as the call does, and a queue that is full
// would make the call wait: C's call takes longer in blocks of 100. Many, since the first calls behind a wait of milliseconds are slow.
const (
	replayBlock     = 50
	replayWaitBlock = 10
)

// The names of ways that the criteria speak of.
const (
	replayed     = "rtc/graph Exec.Launch"
	driverReplay = "driver.ExecGraph.Launch"
	replayedWait = "rtc/graph Exec.Launch, Stream.Synchronize"
	changedWait  = "rtc/graph Node.SetArg, Exec.Launch, Stream.Synchronize"
	allInC       = "C: 100 launches, wait"
	allPrepared  = "rtc Prepared.Enqueue 100 times, Stream.Synchronize"
)

// A graphCompanion is what the C library does with a graph.
type graphCompanion struct {
	replay, replayAndWait, changeAndReplay, enqueueAll dl.Func
}

// graph has the C library make its graph.
func (c *companion) graph() (*graphCompanion, error) {
	a, err := addresses(c.cuda, "cuGraphCreate", "cuGraphAddKernelNode_v2", "cuGraphInstantiateWithFlags", "cuGraphExecKernelNodeSetParams_v2",
		"cuGraphLaunch", "cuStreamSynchronize")
	if err != nil {
		return nil, err
	}
	var g graphCompanion
	var ready dl.Func
	if err := c.lookup(map[string]*dl.Func{
		"paths_graph": &ready, "paths_replay": &g.replay, "paths_replay_and_wait": &g.replayAndWait,
		"paths_change_and_replay": &g.changeAndReplay, "paths_enqueue_all_and_wait": &g.enqueueAll,
	}); err != nil {
		return nil, err
	}
	if r := int32(ready.CallSlice(append(a, kernels, changed))); r != 0 {
		return nil, fmt.Errorf("the C library can't make its graph: %d", r)
	}
	return &g, nil
}

// graphs measures what a replay of the graph takes: the call alone, with the wait, and with one argument changed before it.
func (s *setting) graphs(c *companion, rounds int, r *launchResults) error {
	inC, err := c.graph()
	if err != nil {
		return err
	}
	g := graph.New(s.dev)
	defer g.Close()
	for range kernels {
		if _, err := g.Kernel(s.kernel, grid, perBlock, 0, s.x, s.y, float32(3), elements); err != nil {
			return err
		}
	}
	exec, err := g.Instantiate()
	if err != nil {
		return err
	}
	if !exec.Native() {
		return errors.New("the driver has no CUDA graphs")
	}
	ready, err := s.kernel.Prepare(s.dev, grid, perBlock, 0, s.x, s.y, float32(3), elements)
	if err != nil {
		return err
	}
	bare, err := s.row(ready)
	if err != nil {
		return err
	}
	defer bare.Close()
	stream := s.stream.Raw()
	node, alpha := g.Nodes()[changed], float32(-1)
	wait := func(err error) error {
		if err != nil {
			return err
		}
		return s.stream.Synchronize(context.Background())
	}
	call := []way{
		inCompanion(&inC.replay),
		times(driverReplay, func() error { return bare.Launch(stream) }),
		times(replayed, func() error { return exec.Launch(s.stream) }),
	}
	callAndWait := []way{
		inCompanion(&inC.replayAndWait),
		times(replayedWait, func() error { return wait(exec.Launch(s.stream)) }),
		{name: allInC, block: inCompanion(&inC.enqueueAll).block},
		times(allPrepared, func() error {
			for range kernels {
				if err := ready.Enqueue(s.stream); err != nil {
					return err
				}
			}
			return wait(nil)
		}),
	}
	changing := []way{
		inCompanion(&inC.changeAndReplay),
		times(changedWait, func() error {
			alpha++
			if err := node.SetArg(2, alpha); err != nil {
				return err
			}
			return wait(exec.Launch(s.stream))
		}),
	}
	for _, w := range append(call, callAndWait...) {
		if err := s.adds(w, 3*kernels); err != nil {
			return err
		}
	}
	for _, w := range changing { // the first number is 0
		if err := s.adds(w, 3*(kernels-1)); err != nil {
			return err
		}
	}
	if r.Replay, err = s.compare(call, rounds, replayBlock); err != nil {
		return err
	}
	if r.ReplayWait, err = s.compare(callAndWait, rounds, replayWaitBlock); err != nil {
		return err
	}
	r.ReplayChanged, err = s.compare(changing, rounds, replayWaitBlock)
	return err
}

// row makes the graph with package driver alone.
func (s *setting) row(kernel *rtc.Prepared) (*driver.ExecGraph, error) {
	g, err := s.dev.Context().NewGraph()
	if err != nil {
		return nil, err
	}
	defer g.Close()
	var after []driver.Node
	for range kernels {
		n, err := g.AddKernel(kernel.Raw(), after...)
		if err != nil {
			return nil, err
		}
		after = []driver.Node{n}
	}
	return g.Instantiate()
}

// adds makes sure that one call of a way does what it is measured for: it adds so much to each element.
func (s *setting) adds(w way, want float32) error {
	if err := rtc.CopyFromSlice(s.y, make([]float32, elements)); err != nil {
		return err
	}
	if _, err := w.block(1); err != nil {
		return fmt.Errorf("%s: %w", w.name, err)
	}
	if err := s.stream.Synchronize(context.Background()); err != nil {
		return fmt.Errorf("%s: %w", w.name, err)
	}
	if err := wrote(s.y, func(int) float32 { return want }); err != nil {
		return fmt.Errorf("%s: %w", w.name, err)
	}
	return nil
}
