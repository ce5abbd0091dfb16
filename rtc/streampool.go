package rtc

import (
	"errors"
	"fmt"
	"sync"
)

// maxPooled is how many streams [Device.Go] has. More than a device has hardware
// queues bring nothing: NVIDIA's have had 8 to 128, and 8 are used unless the
// environment says otherwise.
const maxPooled = 8

// A streamPool has the streams for scoped work.
type streamPool struct {
	mu   sync.Mutex
	back sync.Cond // one came back
	free []*Stream
	made int
}

// Go calls f with a stream that nobody else has meanwhile, and returns f's
// error. What f gave the stream may still be under way then: it is ordered like
// all other work, so whoever uses its results waits for it. There are eight such
// streams a device, made when first needed; with all of them in use Go waits for
// one. f must not call Go itself.
func (d *Device) Go(f func(s *Stream) error) error {
	if err := d.use(); err != nil {
		return fmt.Errorf("rtc: go: %w", err)
	}
	if f == nil {
		return errors.New("rtc: go: the function is nil")
	}
	s, err := d.pool.take(d)
	if err != nil {
		return fmt.Errorf("rtc: go: %w", err)
	}
	defer d.pool.give(s)
	return f(s)
}

func (p *streamPool) take(d *Device) (*Stream, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.free) == 0 && p.made == maxPooled {
		p.back.Wait()
	}
	if n := len(p.free); n > 0 {
		s := p.free[n-1]
		p.free = p.free[:n-1]
		return s, nil
	}
	s, err := d.newStream(StreamConfig{})
	if err == nil {
		p.made++
	}
	return s, err
}

// give takes a stream back. For one that was closed another is made.
func (p *streamPool) give(s *Stream) {
	s.dev.order.mu.Lock()
	closing := s.closing
	s.dev.order.mu.Unlock()
	p.mu.Lock()
	if closing {
		p.made--
	} else {
		p.free = append(p.free, s)
	}
	p.mu.Unlock()
	p.back.Signal()
}
