//go:build !rtcalone

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// The names of ways that bounds speak of.
const (
	viaWorker     = "in a worker"
	bothGoroutine = "in this process, two goroutines"
	bothWorker    = "two workers"
)

// How many rounds of others are one of what takes long.
const (
	perSingle     = 2
	perThroughput = 12
	perKill       = 50
)

// A crew compiles with one NVRTC in this process and in workers.
type crew struct {
	c        *nvrtc.Compiler
	one, two *worker.Pool
	seed     int
}

// workers compares compiles in workers with such in this process.
func workers(c *nvrtc.Compiler, rounds int) ([]comparison, error) {
	w := &crew{c: c, seed: int(time.Now().UnixNano() % 1e6)}
	var err error
	for to, n := range map[**worker.Pool]int{&w.one: 1, &w.two: 2} {
		if *to, err = worker.NewPool(worker.Config{Workers: n, Memory: 2 << 30}); err != nil {
			return nil, err
		}
		defer (*to).Close()
		if err := (*to).Ping(context.Background(), c); err != nil {
			return nil, err
		}
	}
	var all []comparison
	for _, part := range []struct {
		measure func(rounds int) (comparison, error)
		rounds  int
	}{{w.roundTrips, rounds}, {w.single, rounds / perSingle}, {w.throughput, rounds / perThroughput}, {w.cancels, rounds / perKill}} {
		one, err := part.measure(max(1, part.rounds))
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// request is a compile that nobody has made before.
func (w *crew) request() *compile.Request {
	w.seed++
	return &compile.Request{Compiler: w.c, Source: source(w.seed), Name: "axpy.cu", Options: []string{"--gpu-architecture=sm_80", "--std=c++17"}}
}

// roundTrips has a message that a worker answers and does nothing for beside a byte through two pipes and back.
func (w *crew) roundTrips(rounds int) (comparison, error) {
	there, here, err := twoPipes()
	if err != nil {
		return comparison{}, err
	}
	defer there.Close()
	defer here.Close()
	one := []byte{1}
	ways, err := compare([]way{
		times("two pipes and a goroutine", func() error {
			if _, err := there.Write(one); err != nil {
				return err
			}
			_, err := here.Read(one)
			return err
		}),
		times("worker.Pool.Ping", func() error { return w.one.Ping(context.Background(), w.c) }),
	}, rounds, 10, nil)
	return comparison{Title: "A round trip to a warm worker, NVRTC " + w.c.Version().String(), Ways: ways,
		Bounds: []bound{{Way: "worker.Pool.Ping", Kind: boundTime, AtMost: 1e6}}}, err
}

// twoPipes are the ends of two pipes between which a goroutine carries bytes.
func twoPipes() (there, here *os.File, err error) {
	from, there, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	here, to, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	go func() {
		defer from.Close()
		defer to.Close()
		b := make([]byte, 1)
		for {
			if _, err := from.Read(b); err != nil {
				return
			}
			if _, err := to.Write(b); err != nil {
				return
			}
		}
	}()
	return there, here, nil
}

// single has one small compile after the other.
func (w *crew) single(rounds int) (comparison, error) {
	run := func(name string, r compile.Runner) way {
		one := times(name, func() error { _, err := r.Run(context.Background(), w.request()); return err })
		one.once = nil // what it allocates is no matter
		return one
	}
	ways, err := compare([]way{run("in this process", compile.InProcess{}), run(viaWorker, w.one)}, rounds, 1, nil)
	return comparison{Title: "Compile a small kernel, NVRTC " + w.c.Version().String(), Ways: ways,
		Bounds: []bound{{Way: viaWorker, Kind: boundRatio, AtMost: 1.05}}}, err
}

// throughput has some compiles, one or two at a time.
func (w *crew) throughput(rounds int) (comparison, error) {
	const compiles = 8
	at := func(name string, r compile.Runner, n int) way {
		return way{name: name, block: func(int) (time.Duration, error) {
			var requests []*compile.Request
			for range compiles {
				requests = append(requests, w.request())
			}
			begun := time.Now()
			errs := make([]error, n)
			var group sync.WaitGroup
			for i := range n {
				group.Go(func() {
					for j := i; j < compiles && errs[i] == nil; j += n {
						_, errs[i] = r.Run(context.Background(), requests[j])
					}
				})
			}
			group.Wait()
			return time.Since(begun), errors.Join(errs...)
		}}
	}
	ways, err := compare([]way{
		at("in this process, one goroutine", compile.InProcess{}, 1), at(bothGoroutine, compile.InProcess{}, 2),
		at("one worker", w.one, 1), at(bothWorker, w.two, 2),
	}, rounds, 1, nil)
	c := comparison{Title: fmt.Sprintf("%d compiles of small kernels, NVRTC %s", compiles, w.c.Version()), Ways: ways}
	if !w.c.Version().AtLeast(12, 0) { // those compile one program at a time in a process
		c.Bounds = []bound{{Way: bothWorker, Of: bothGoroutine, Kind: boundRatio, AtMost: 0.9}}
	}
	return c, err
}

// bomb is a source that takes NVRTC many seconds and ever more memory.
const bomb = "__device__ int a[1 << 27] = {1, 2, 3};\n"

// The memory that a worker has when its compile is cancelled.
const (
	leastHeld = 300 << 20
	mostHeld  = 500 << 20
)

// cancels has a compile cancelled whose worker holds some 400 MB: until the caller has his answer, and until the process is gone.
func (w *crew) cancels(rounds int) (comparison, error) {
	var returned, gone, floor []float64
	for range rounds {
		took, err := killed()
		if err != nil {
			return comparison{}, err
		}
		floor = append(floor, float64(took))
		r := w.request()
		r.Source = bomb + r.Source
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { _, err := w.one.Run(ctx, r); ended <- err }()
		pid, err := grown(ended)
		if err != nil {
			cancel()
			return comparison{}, err
		}
		begun := time.Now()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			return comparison{}, fmt.Errorf("a compile that was cancelled: %w", err)
		}
		returned = append(returned, float64(time.Since(begun)))
		for isThere(pid) {
			time.Sleep(200 * time.Microsecond)
		}
		gone = append(gone, float64(time.Since(begun)))
	}
	result := func(name string, samples []float64) wayResult {
		return wayResult{Name: name, Time: figureOf(samples), Allocs: -1}
	}
	return comparison{
		Title: "Cancel a compile whose worker has 300 to 500 MB, NVRTC " + w.c.Version().String(),
		Ways: []wayResult{result("kill a process that does nothing", floor), result("until the call has returned", returned),
			result("until the process is gone", gone)},
		Bounds: []bound{{Way: "until the call has returned", Kind: boundTime, AtMost: 10e6}, {Way: "until the process is gone", Kind: boundTime, AtMost: 100e6}},
	}, nil
}

// killed is how long it takes to kill a process that does nothing, and to wait for its end.
func killed() (time.Duration, error) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	time.Sleep(20 * time.Millisecond)
	begun := time.Now()
	if err := cmd.Process.Kill(); err != nil {
		return 0, err
	}
	_ = cmd.Wait()
	return time.Since(begun), nil
}
