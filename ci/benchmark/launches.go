package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// How much is measured. A block of launches is timed as a whole and synchronised after; blocks of all ways alternate.
const (
	enqueueBlock = 500
	waitBlock    = 50
	perCompile   = 20 // rounds
)

// A way is one of several to do the same thing.
type way struct {
	name  string
	block func(n int) (time.Duration, error)
	once  func() error // one call, to count what it allocates; nil for C
}

// A wayResult is what was measured of a way, in nanoseconds a call.
type wayResult struct {
	Name   string  `json:"name"`
	Time   figure  `json:"time"`
	Alone  figure  `json:"alone"`  // in blocks that follow each other, as the Python scripts measure
	Beyond float64 `json:"beyond"` // what it takes beyond the first way in the same round, in the median round: what slows a machine for a while slows both
	Allocs float64 `json:"allocs"` // a call; -1: not counted
}

// launchResults is what the command launches writes.
type launchResults struct {
	GPU      string      `json:"gpu"`
	Driver   string      `json:"driver"`
	NVRTC    string      `json:"nvrtc"`
	LibCUDA  string      `json:"libcuda"`
	LibNVRTC string      `json:"libnvrtc"`
	Enqueue  []wayResult `json:"enqueue"`
	Wait     []wayResult `json:"wait"`
	Compile  []wayResult `json:"compile"`
	Across   []wayResult `json:"across"`

	// Of a graph of kernels: the call alone, with the wait, and with one argument changed.
	Replay        []wayResult `json:"replay"`
	ReplayWait    []wayResult `json:"replay_wait"`
	ReplayChanged []wayResult `json:"replay_changed"`

	Peer   [][]wayResult `json:"peer"`   // by size
	Absent []string      `json:"absent"` // what the machine has not got
}

// The names of ways that the criteria speak of.
const (
	inC           = "C"
	bareCall      = "dl.Func.CallSlice"
	driverLaunch  = "driver.Launch.Enqueue"
	prepared      = "rtc Prepared.Enqueue"
	checked       = "rtc Kernel.Enqueue"
	preparedWait  = "rtc Prepared.Launch"
	checkedWait   = "rtc Kernel.Launch"
	moduleCompile = "rtc.NewModule"
)

func launches(folder string, rounds, most int) error {
	s, err := newSetting()
	if err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	c, err := newCompanion(folder, s)
	if err != nil {
		return err
	}
	major, minor := s.dev.ComputeCapability()
	r := launchResults{
		GPU:      fmt.Sprintf("%s (compute capability %d.%d)", s.dev.Name(), major, minor),
		Driver:   s.dev.Driver().Version().String(),
		NVRTC:    s.compiler.Version().String(),
		LibCUDA:  s.dev.Driver().Path(),
		LibNVRTC: s.compiler.Path(),
	}
	useHeap()
	enqueue, err := s.enqueueWays(c)
	if err != nil {
		return err
	}
	if r.Enqueue, err = s.compare(enqueue, rounds, enqueueBlock); err != nil {
		return err
	}
	wait, err := s.waitWays(c)
	if err != nil {
		return err
	}
	if r.Wait, err = s.compare(wait, rounds, waitBlock); err != nil {
		return err
	}
	if r.Compile, err = s.compare(s.compileWays(c), max(1, rounds/perCompile), 1); err != nil {
		return err
	}
	if err := s.graphs(c, rounds, &r); err != nil {
		return fmt.Errorf("graphs: %w", err)
	}
	across, err := s.acrossWays(c)
	if err != nil {
		return err
	}
	if r.Across, err = s.compare(across, rounds, enqueueBlock); err != nil {
		return err
	}
	if err := s.peers(c, rounds, most, &r); err != nil {
		return fmt.Errorf("copies between devices: %w", err)
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// useHeap leaves the heap as in a program that has run for a while. The launches below make too little garbage for the
// collector to run, so that each number in an any would take memory fresh from the system, at a page fault for each page:
// a quarter of what Kernel.Enqueue costs above C on the stub.
func useHeap() {
	var kept [1024]*[2]uint64
	for i := range 1 << 20 { // 16 MiB
		kept[i%len(kept)] = new([2]uint64)
	}
	runtime.KeepAlive(&kept)
	runtime.GC()
}

// compare is compare on the device's stream, which is synchronised after each block.
func (s *setting) compare(ways []way, rounds, n int) ([]wayResult, error) {
	return compare(ways, rounds, n, func() error { return s.stream.Synchronize(context.Background()) })
}

func inCompanion(f *dl.Func) way {
	return way{name: inC, block: func(n int) (time.Duration, error) { return block(f, n) }}
}

// enqueueWays are the ways to put the kernel into the stream. C and checked arguments give other numbers each time, so
// that Go has to put them into interfaces; the prepared ones have nothing to give.
func (s *setting) enqueueWays(c *companion) ([]way, error) {
	words := []uintptr{s.function.Handle(), blocks, 1, 1, threads, 1, 1, 0, s.stream.Raw().Handle(), c.params, 0}
	raw, err := s.driverLaunch()
	if err != nil {
		return nil, err
	}
	ready, err := s.kernel.Prepare(s.dev, grid, perBlock, 0, s.x, s.y, float32(3), elements)
	if err != nil {
		return nil, err
	}
	alpha, n := float32(0), elements-2
	return []way{
		inCompanion(&c.enqueue),
		times(bareCall, func() error {
			if r := c.launch.CallSlice(words); r != 0 {
				return fmt.Errorf("cuLaunchKernel: %d", r)
			}
			return nil
		}),
		times(driverLaunch, func() error { return raw.Enqueue(s.stream.Raw()) }),
		times(prepared, func() error { return ready.Enqueue(s.stream) }),
		times(checked, func() error {
			alpha, n = alpha+1, n^1
			return s.kernel.Enqueue(s.stream, grid, perBlock, 0, s.x, s.y, alpha, n)
		}),
	}, nil
}

// driverLaunch is the launch as package driver makes it.
func (s *setting) driverLaunch() (*driver.Launch, error) {
	slots, err := s.kernel.Signature().Layout(abi.Host)
	if err != nil {
		return nil, err
	}
	args, err := abi.NewBuffer("axpy", s.kernel.Signature(), slots)
	if err != nil {
		return nil, err
	}
	if err := args.SetAll([]any{s.x, s.y, 3, elements}); err != nil {
		return nil, err
	}
	config := driver.LaunchConfig{Grid: driver.Dim3{X: blocks, Y: 1, Z: 1}, Block: driver.Dim3{X: threads, Y: 1, Z: 1}}
	return s.function.Prepare(config, args.Pointers())
}

// waitWays are the ways to launch the kernel and wait for its end. C records an event and waits for it, too.
func (s *setting) waitWays(c *companion) ([]way, error) {
	raw, err := s.driverLaunch()
	if err != nil {
		return nil, err
	}
	event, err := s.dev.Context().NewEvent(driver.EventConfig{})
	if err != nil {
		return nil, err
	}
	ready, err := s.kernel.Prepare(s.dev, grid, perBlock, 0, s.x, s.y, float32(3), elements)
	if err != nil {
		return nil, err
	}
	alpha, n := float32(0), elements-2
	return []way{
		inCompanion(&c.launchAndWait),
		times(driverLaunch+", Record, Synchronize", func() error {
			if err := raw.Enqueue(s.stream.Raw()); err != nil {
				return err
			}
			if err := s.stream.Raw().Record(event); err != nil {
				return err
			}
			return event.Synchronize()
		}),
		times(preparedWait, ready.Launch),
		times(checkedWait, func() error {
			alpha, n = alpha+1, n^1
			return s.kernel.Launch(s.dev, grid, perBlock, 0, s.x, s.y, alpha, n)
		}),
	}, nil
}

// compileWays are the ways to compile the kernel to machine code in a process that has compiled before. Each time the
// source is new.
func (s *setting) compileWays(c *companion) []way {
	seed := int(time.Now().UnixNano() % 1e6)
	next := func() int { seed++; return seed }
	return []way{
		{name: inC, block: func(int) (time.Duration, error) { return block(&c.compile, next()) }},
		{name: moduleCompile, block: func(int) (time.Duration, error) {
			text := source(next())
			start := time.Now()
			mod, err := rtc.NewModule(text, rtc.ModuleConfig{Compiler: s.compiler, Name: "axpy.cu"})
			if err != nil {
				return 0, err
			}
			took := time.Since(start)
			return took, mod.Close()
		}},
	}
}
