package sim

import "github.com/purecuda/purecuda/driver"

// A pool is where memory that is allocated in stream order comes from.
type pool struct {
	dev     *device
	handle  uintptr
	max     int64
	set     [3]int32 // what may be used again when; it makes no difference here
	keep    uint64   // the release threshold
	used    uint64
	held    uint64 // used, or kept for later
	mostUse uint64
	most    uint64
}

// poolUnit is by how much a pool grows.
const poolUnit = 32 << 20

func (d *Driver) newPool(dev *device, most uint64) *pool {
	p := &pool{dev: dev, max: int64(min(most, mostMemory)), set: [3]int32{1, 1, 1}}
	p.handle = put(d, d.pools, p)
	return p
}

// allocIn makes memory of a pool, for what is put into a stream from now on.
func (d *Driver) allocIn(p *pool, size uint64) (uint64, driver.Result) {
	if p.max > 0 && p.used+size > uint64(p.max) {
		return 0, driver.OutOfMemory
	}
	at, r := d.alloc(p.dev, size, nil, p)
	if r == driver.Success {
		p.used += size
		p.held = max(p.held, (p.used+poolUnit-1)/poolUnit*poolUnit)
		p.mostUse, p.most = max(p.mostUse, p.used), max(p.most, p.held)
	}
	return at, r
}

func (p *pool) freed(size int64) { p.used -= uint64(size) }

// trim gives back what is not in use, but for some bytes.
func (p *pool) trim(keep uint64) {
	p.held = min(p.held, max(keep, (p.used+poolUnit-1)/poolUnit*poolUnit))
}

// trimmed is called when the program has waited: pools then give back what they may.
func (dev *device) trimmed() {
	dev.standard.trim(dev.standard.keep)
	if dev.pool != dev.standard {
		dev.pool.trim(dev.pool.keep)
	}
}

// A freeWork frees memory in its turn.
type freeWork struct {
	d  *Driver
	at uint64
}

func (*freeWork) kind() driver.NodeKind { return driver.EmptyNode }

func (w *freeWork) run(moment) (span, *fault) {
	w.d.mu.Lock()
	defer w.d.mu.Unlock()
	if w.d.blocks[w.at] != nil {
		w.d.free(w.at)
	}
	return 0, nil
}

// freeIn puts the freeing of memory into a stream.
func (d *Driver) freeIn(s *stream, at uint64) driver.Result {
	if at == 0 {
		return driver.Success
	}
	b := d.blocks[at]
	if b == nil || b.going || s.capture != nil { // a graph can free what it has allocated alone, which is not built
		return driver.InvalidValue
	}
	b.going = true
	return d.enqueue(s, &freeWork{d, at})
}

// attribute is a setting or a fact: an int for the first three, else a number of bytes.
func (p *pool) attribute(a driver.PoolAttribute) (v uint64, small, ok bool) {
	switch a {
	case driver.PoolReuseFollowEvents, driver.PoolReuseOpportunistic, driver.PoolReuseDependencies:
		return uint64(p.set[a-1]), true, true
	case driver.PoolReleaseThreshold:
		return p.keep, false, true
	case driver.PoolReserved:
		return p.held, false, true
	case driver.PoolReservedHigh:
		return p.most, false, true
	case driver.PoolUsed:
		return p.used, false, true
	case driver.PoolUsedHigh:
		return p.mostUse, false, true
	}
	return 0, false, false
}

// setAttribute changes a setting; read gives the value.
func (p *pool) setAttribute(a driver.PoolAttribute, small int32, v uint64) bool {
	switch {
	case a >= driver.PoolReuseFollowEvents && a <= driver.PoolReuseDependencies:
		p.set[a-1] = small
	case a == driver.PoolReleaseThreshold:
		p.keep = v
	case a == driver.PoolReservedHigh && v == 0:
		p.most = p.held
	case a == driver.PoolUsedHigh && v == 0:
		p.mostUse = p.used
	default:
		return false
	}
	return true
}
