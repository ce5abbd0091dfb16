package main

import (
	"context"
	"fmt"
	"time"

	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

// A part is the rows of one device, with one more at each end: the neighbour's
// next, or the plate's edge.
type part struct {
	dev      *rtc.Device
	from, to *rtc.Array // before a step, and after it
	rows     int
}

// A way is how kernels and copies are given to the devices.
type way struct {
	step func(p *part, grid, block rtc.Dim3) error
	copy func(on *rtc.Device, dst, src *rtc.Array) error
}

// spread makes the steps with the plate spread over the devices, gathers it, and
// is how long the steps took.
func spread(devs []*rtc.Device, step *rtc.Kernel, plate []float32, width, steps int) ([]float32, time.Duration, error) {
	parts, err := split(devs, plate, width)
	if err != nil {
		return nil, 0, err
	}
	// Nothing is waited for: the copies take their place behind the kernels that
	// wrote the rows, and the next kernels behind them, on both devices.
	streams := way{
		func(p *part, grid, block rtc.Dim3) error {
			return step.Enqueue(p.dev.Stream(), grid, block, 0, p.from, p.to, width, p.rows)
		},
		func(on *rtc.Device, dst, src *rtc.Array) error { return on.Stream().Copy(dst, src) },
	}
	start := time.Now()
	for range steps {
		if err := streams.advance(parts, width); err != nil {
			return nil, 0, err
		}
	}
	return finish(parts, width, start)
}

// replay is spread with two steps, after which each array is in its place again,
// as one graph over all devices.
func replay(devs []*rtc.Device, step *rtc.Kernel, plate []float32, width, steps int) ([]float32, time.Duration, error) {
	parts, err := split(devs, plate, width)
	if err != nil {
		return nil, 0, err
	}
	g := graph.New(devs[0])
	defer g.Close()
	nodes := way{
		func(p *part, grid, block rtc.Dim3) error {
			_, err := g.KernelOn(p.dev, step, grid, block, 0, p.from, p.to, width, p.rows)
			return err
		},
		func(_ *rtc.Device, dst, src *rtc.Array) error {
			_, err := g.Copy(dst, src)
			return err
		},
	}
	for range 2 {
		if err := nodes.advance(parts, width); err != nil {
			return nil, 0, err
		}
	}
	two, err := g.Instantiate()
	if err != nil {
		return nil, 0, err
	}
	start := time.Now()
	for range steps / 2 {
		if err := two.Launch(devs[0].Stream()); err != nil {
			return nil, 0, err
		}
	}
	return finish(parts, width, start)
}

// advance gives the devices one step, and the rows along which the parts meet.
func (w way) advance(parts []part, width int) error {
	for i := range parts {
		p := &parts[i]
		if err := w.step(p, rtc.Dim((width+31)/32, (p.rows+7)/8), rtc.Dim(32, 8)); err != nil {
			return err
		}
		p.from, p.to = p.to, p.from
	}
	for i := range len(parts) - 1 {
		if err := w.meet(&parts[i], &parts[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// finish waits, and is the plate and how long that took.
func finish(parts []part, width int, start time.Time) ([]float32, time.Duration, error) {
	for _, p := range parts {
		if err := p.dev.Synchronize(context.Background()); err != nil {
			return nil, 0, err
		}
	}
	took := time.Since(start)
	all, err := gather(parts, width)
	return all, took, err
}

// split gives each device its part of the plate.
func split(devs []*rtc.Device, plate []float32, width int) (parts []part, err error) {
	inner := len(plate)/width - 2
	for i, dev := range devs {
		first, end := inner*i/len(devs), inner*(i+1)/len(devs)+2
		p := part{dev: dev, rows: end - first}
		if p.from, err = rtc.FromSlice(dev, plate[first*width:end*width], p.rows, width); err != nil {
			return nil, err
		}
		if p.to, err = p.from.CopyTo(dev); err != nil { // with the edges, which no step writes
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// meet copies the last row that a computed to b, and b's first to a.
func (w way) meet(a, b *part) error {
	if err := w.copyRow(b, 0, a, a.rows-2); err != nil {
		return err
	}
	return w.copyRow(a, a.rows-1, b, 1)
}

func (w way) copyRow(to *part, row int, from *part, other int) error {
	dst, err := to.from.Slice(row, row+1)
	if err != nil {
		return err
	}
	src, err := from.from.Slice(other, other+1)
	if err != nil {
		return err
	}
	return w.copy(to.dev, dst, src)
}

// gather reads the parts back, each without the rows of its neighbours.
func gather(parts []part, width int) ([]float32, error) {
	var all []float32
	for i, p := range parts {
		rows, err := rtc.ToSlice[float32](p.from)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			rows = rows[width:]
		}
		if i < len(parts)-1 {
			rows = rows[:len(rows)-width]
		}
		all = append(all, rows...)
		for _, a := range []*rtc.Array{p.from, p.to} {
			if err := a.Close(); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// inGo makes the steps here.
func inGo(plate []float32, width, steps int) []float32 {
	from, to := append([]float32(nil), plate...), append([]float32(nil), plate...)
	for range steps {
		for row := width; row < len(plate)-width; row += width {
			for i := row + 1; i < row+width-1; i++ {
				to[i] = 0.25 * (from[i-width] + from[i+width] + from[i-1] + from[i+1])
			}
		}
		from, to = to, from
	}
	return from
}

// same compares bit for bit: sums in the same order, and a factor that is a power
// of two, leave no freedom.
func same(got, want []float32, width int) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d elements, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			return fmt.Errorf("row %d, column %d: %v, in Go %v", i/width, i%width, got[i], want[i])
		}
	}
	return nil
}
