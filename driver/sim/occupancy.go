package sim

import "github.com/purecuda/purecuda/driver"

// fit is how many blocks of a kernel a multiprocessor holds at once, by the rules that the CUDA programming guide and the
// occupancy calculator publish: registers are given to warps by 256, warps to its four parts, shared memory by the chip's unit.
func (f *function) fit(threads, shared int) int {
	facts, chip := f.device().facts, f.device().chip()
	if threads <= 0 || threads > f.maxThreads() {
		return 0
	}
	warps := (threads + 31) / 32
	n := min(facts[driver.MaxBlocksPerMultiprocessor], facts[driver.MaxThreadsPerMultiprocessor]/32/warps)
	perWarp := (32*f.registers() + 255) / 256 * 256
	inParts := facts[driver.MaxRegistersPerMultiprocessor] / perWarp / 4 * 4
	n = min(n, inParts/warps)
	if need := f.blockShared(chip, shared); need > 0 {
		n = min(n, facts[driver.MaxSharedMemoryPerMultiprocessor]/need)
	}
	return n
}

// blockShared is the shared memory that a block takes from its multiprocessor.
func (f *function) blockShared(chip *chip, dynamic int) int {
	need := f.k.SharedBytes + dynamic + chip.reserved()
	return (need + chip.unit - 1) / chip.unit * chip.unit
}

// available is the dynamic shared memory that a block may use so that so many of them fit; false if they never do.
func (f *function) available(blocks, threads int) (int, bool) {
	if blocks <= 0 || f.fit(threads, 0) < blocks {
		return 0, false
	}
	facts, chip := f.device().facts, f.device().chip()
	n := facts[driver.MaxSharedMemoryPerMultiprocessor]/blocks/chip.unit*chip.unit - chip.reserved() - f.k.SharedBytes
	return max(0, min(n, facts[driver.MaxSharedMemoryPerBlockOptIn]-f.k.SharedBytes)), true
}

// suggest is the number of threads of a block, up to limit, that keeps the most threads on a multiprocessor, and the number
// of blocks that fill the device. dynamic tells the shared memory of a block of so many threads.
func (f *function) suggest(limit int, dynamic func(threads int) int) (blocks, threads int) {
	most := f.maxThreads()
	if limit > 0 {
		most = min(most, limit)
	}
	best := 0
	for n := (most + 31) &^ 31; n > 0; n -= 32 {
		n := min(n, most)
		if held := f.fit(n, dynamic(n)) * n; held > best {
			best, threads = held, n
		}
	}
	if threads == 0 {
		return 0, 0
	}
	return best / threads * f.device().facts[driver.MultiprocessorCount], threads
}
