package engine

import "sync"

// A pool keeps blocks of one kernel for launches to come, so that a launch allocates nothing.
type pool struct {
	mu   sync.Mutex
	size [3]uint32
	free []*block
}

const poolKept = 64

// block takes a block of that size or makes one.
func (k *Kernel) block(size [3]uint32) *block {
	p := &k.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.size != size {
		p.size, p.free = size, nil
	}
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		return b
	}
	return newBlock(k, size)
}

// keep gives a block back.
func (k *Kernel) keep(b *block) {
	p := &k.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.size == b.grid.launch.Block && len(p.free) < poolKept {
		p.free = append(p.free, b)
	}
	b.grid = nil
}
