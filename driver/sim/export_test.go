package sim

import (
	"fmt"

	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// Left lists what is left in a simulated driver besides its devices.
func Left(d *Driver) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var left []string
	note := func(what string, n int) {
		if n > 0 {
			left = append(left, fmt.Sprintf("%d %s", n, what))
		}
	}
	contexts := 0
	for _, c := range d.contexts {
		if !c.gone {
			contexts++
		}
	}
	note("contexts", contexts)
	note("streams", len(d.streams))
	note("events", len(d.events))
	note("modules", len(d.modules))
	note("functions", len(d.functions))
	note("libraries", len(d.libraries))
	note("kernels", len(d.kernels))
	note("links", len(d.links))
	note("graphs", len(d.graphs))
	note("nodes", len(d.nodes))
	note("executable graphs", len(d.execs))
	note("pools", len(d.pools)-len(d.devices))
	note("pieces of physical memory", len(d.physical))
	note("ranges of addresses", len(d.ranges))
	note("blocks of memory", len(d.blocks))
	note("blocks of host memory", len(d.hosts.blocks))
	note("pieces of other processes' memory", len(d.foreign))
	note("busy streams", len(d.queue.busy))
	for _, dev := range d.devices {
		note(fmt.Sprintf("bytes on device %d", dev.ordinal), int(dev.memory.Used()))
	}
	return left
}

// Goroutines is how many run operations.
func Goroutines(d *Driver) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.queue.workers + d.queue.active
}

// FunctionHandle is the CUfunction of a kernel that is loaded.
func FunctionHandle(d *Driver, name string) uintptr {
	d.mu.Lock()
	defer d.mu.Unlock()
	for h, f := range d.functions {
		if f.k.Name == name {
			return h
		}
	}
	return 0
}

// LZ4 is lz4.
func LZ4(b []byte, size int) ([]byte, error) { return lz4(b, size) }

// Fit is how many blocks a multiprocessor holds of a kernel that uses so much.
func Fit(cc, registers, static, threads, dynamic int) int {
	dev := &device{facts: newFacts(0, Device{Major: cc / 10, Minor: cc % 10})}
	f := &function{m: &module{ctx: &context{device: dev}}, k: &engine.Kernel{Registers: registers, SharedBytes: static}}
	return f.fit(threads, dynamic)
}

// Runs tells whether something runs now.
func Runs(d *Driver) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.queue.active > 0
}
