package engine

import "sync"

// A pool keeps what launches of one kernel need, so that a launch allocates nothing but the first time.
type pool struct {
	mu    sync.Mutex
	size  [3]uint32
	free  []*block // of that size
	grids []*grid
	lists [][]*block
}

const poolKept = 64

// block takes a block of a launch's size or makes one.
func (p *pool) block(l *Launch) *block {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.size != l.Block {
		p.size, p.free = l.Block, nil
	}
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		return b
	}
	return newBlock(l.Kernel, l.Block)
}

// keep gives a block back.
func (p *pool) keep(b *block) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.size == b.grid.launch.Block && len(p.free) < poolKept {
		p.free = append(p.free, b)
	}
	b.grid, b.last = nil, nil
}

// grid takes a grid or makes one.
func (p *pool) grid() *grid {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.grids); n > 0 {
		g := p.grids[n-1]
		p.grids = p.grids[:n-1]
		return g
	}
	return newGrid()
}

// keepGrid gives a grid back.
func (p *pool) keepGrid(g *grid) {
	g.launch, g.config, g.done, g.fault, g.race, g.all = nil, nil, nil, nil, nil, nil
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.grids) < poolKept {
		p.grids = append(p.grids, g)
	}
}

// list takes an empty list of blocks.
func (p *pool) list() []*block {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.lists); n > 0 {
		l := p.lists[n-1]
		p.lists = p.lists[:n-1]
		return l
	}
	return make([]*block, 0, 4)
}

// keepList gives a list back. Blocks that a fault left in it are not used again: they stand in the middle of something.
func (p *pool) keepList(l []*block) {
	clear(l)
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.lists) < poolKept {
		p.lists = append(p.lists, l[:0])
	}
}
