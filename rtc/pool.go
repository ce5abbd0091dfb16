package rtc

import (
	"context"
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/driver"
)

// A PoolConfig has a device's arrays come from a pool of its own: making one and
// closing one are then work of the device's stream, which takes a microsecond or
// two and waits for nothing; without a pool each asks the driver, and closing
// waits for the whole device. See NVIDIA's manual,
// https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html.
//
// Other processes can't open such memory. Since CUDA 11.2; opening the device
// fails where it has no pools.
//
// Safe for concurrent use after it is made; its fields must not change.
type PoolConfig struct {
	Keep uint64 // bytes that the pool may keep for later when nothing uses them; the rest goes back to the driver at a synchronisation
	Max  uint64 // bytes that it may have; 0: as many as there are. Since CUDA 12.2
}

// PoolStats is how full a device's pool is, in bytes.
//
// Safe for concurrent use after it is made; its fields must not change.
type PoolStats struct {
	Used, UsedHigh         uint64 // by arrays; at most so far
	Reserved, ReservedHigh uint64 // by the pool, with what it keeps; at most so far
}

func (d *Device) openPool(c *PoolConfig) error {
	pool, err := d.dev.NewPool(driver.PoolConfig{MaxSize: c.Max})
	if err != nil {
		return err
	}
	d.memPool = pool
	return pool.SetAttribute(driver.PoolReleaseThreshold, c.Keep)
}

var errNoPool = errors.New("the device was opened without OpenConfig.Pool")

// PoolStats asks how full the pool is that the device was opened with.
func (d *Device) PoolStats() (PoolStats, error) {
	var s PoolStats
	if err := d.pooled(); err != nil {
		return s, fmt.Errorf("rtc: pool statistics: %w", err)
	}
	for _, a := range []struct {
		to *uint64
		a  driver.PoolAttribute
	}{
		{&s.Used, driver.PoolUsed}, {&s.UsedHigh, driver.PoolUsedHigh},
		{&s.Reserved, driver.PoolReserved}, {&s.ReservedHigh, driver.PoolReservedHigh},
	} {
		var err error
		if *a.to, err = d.memPool.Attribute(a.a); err != nil {
			return PoolStats{}, fmt.Errorf("rtc: pool statistics: %w", err)
		}
	}
	return s, nil
}

// TrimPool gives back to the driver what the pool keeps beyond keep bytes.
func (d *Device) TrimPool(keep uint64) error {
	err := d.pooled()
	if err == nil {
		err = d.memPool.Trim(keep)
	}
	if err != nil {
		return fmt.Errorf("rtc: trim pool: %w", err)
	}
	return nil
}

func (d *Device) pooled() error {
	if err := d.use(); err != nil {
		return err
	}
	if d.memPool == nil {
		return errNoPool
	}
	return nil
}

// allocate takes memory for m, of which nobody else knows yet.
func (d *Device) allocate(m *memory) error {
	if d.memPool == nil || m.size == 0 {
		p, err := d.ctx.Alloc(uint64(m.size))
		m.ptr = p
		return err
	}
	take := func(s *driver.Stream) (err error) {
		m.ptr, err = s.AllocFromPool(d.memPool, uint64(m.size))
		return err
	}
	err := d.stream.give(context.Background(), take, use{m, true})
	if errors.Is(err, driver.OutOfMemory) { // what was freed may still be on its way
		if d.drain() == nil && d.memPool.Trim(0) == nil {
			err = d.stream.give(context.Background(), take, use{m, true})
		}
	}
	return err
}

// free gives the memory of m back to the pool, behind all that uses it.
func (d *Device) free(m *memory) error {
	o := &d.order
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.several {
		d.stream.need(&m.access, true)
		if err := d.stream.follow(); err != nil {
			return err
		}
	}
	d.stream.enqueued++
	return d.stream.raw.FreeAsync(m.ptr)
}
