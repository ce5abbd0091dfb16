package engine

import (
	"fmt"
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A system is a function that the device has and a module only declares. It runs for one lane after the other.
type system struct {
	args int
	// run gets the arguments as numbers and gives the result. It may end the launch.
	run func(w *warp, o *op, lane int, args [5]uint64) uint64
}

// systemOf is the function of that name, nil if there is none.
// See the CUDA C++ Programming Guide, "Formatted Output", "Dynamic Global Memory Allocation", "Assertion".
func systemOf(name string) *system {
	switch name {
	case "vprintf":
		return &system{2, vprintf}
	case "malloc":
		return &system{1, malloc}
	case "free":
		return &system{1, free}
	case "__assertfail":
		return &system{5, assertFail}
	case "__trap":
		return &system{0, func(w *warp, o *op, lane int, _ [5]uint64) uint64 { w.fail(o, lane, Trap, "trap"); return 0 }}
	}
	return nil
}

func callSystem(w *warp, o *op) {
	s := o.ext.(*callSite)
	a := w.act
	stride := a.fn.params
	for m := w.mask; m != 0 && !w.stop; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		var args [5]uint64
		for j, p := range s.args {
			args[j] = little(a.param[i*stride+p.offset:][:p.size])
		}
		r := s.system.run(w, o, i, args)
		for _, p := range s.results {
			store(a.param[i*stride+p.offset:][:p.size], r)
		}
	}
}

func (d *decoder) trap(*ptx.Instruction) error { d.emit(op{fn: trap}); return nil }

func trap(w *warp, o *op) { w.fail(o, -1, Trap, "trap") }

// text reads a zero-terminated string at a generic address.
func (w *warp) text(o *op, lane int, addr uint64) (string, bool) {
	var b []byte
	plain := *o
	plain.align = 0
	for len(b) < 1<<16 {
		c := w.bytes(&plain, lane, "", addr+uint64(len(b)), 1)
		if c == nil {
			return "", false
		}
		if c[0] == 0 {
			break
		}
		b = append(b, c[0])
	}
	return string(b), true
}

// malloc gives memory of the device's heap, or null where its limit is reached.
func malloc(w *warp, o *op, lane int, args [5]uint64) uint64 {
	limit := w.block.grid.config.Heap
	if limit == 0 {
		limit = 8 << 20
	}
	return w.block.grid.launch.Kernel.program.memory.heapAlloc(args[0], limit)
}

func free(w *warp, o *op, lane int, args [5]uint64) uint64 {
	memory := w.block.grid.launch.Kernel.program.memory
	if args[0] != 0 && !memory.heapFree(args[0]) {
		w.fail(o, lane, IllegalAddress, "free of what malloc did not give: "+memory.Describe(args[0]))
	}
	return 0
}

// Heap allocations are marked, so that the host's Free does not take them, nor the device's the host's.

// heapAlloc makes an allocation of the heap; 0 where there is no room.
func (m *Memory) heapAlloc(size uint64, limit int64) uint64 {
	if size == 0 || size > uint64(limit) {
		return 0
	}
	m.mu.Lock()
	room := m.heap+int64(size) <= limit
	if room {
		m.heap += int64(size)
	}
	m.mu.Unlock()
	if !room {
		return 0
	}
	a, err := m.Alloc(int64(size))
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		m.heap -= int64(size)
		return 0
	}
	if m.onHeap == nil {
		m.onHeap = map[uint64]int64{}
	}
	m.onHeap[a.Base] = int64(size)
	return a.Base
}

// heapFree ends an allocation of the heap and reports whether it was one.
func (m *Memory) heapFree(addr uint64) bool {
	m.mu.Lock()
	size, ok := m.onHeap[addr]
	delete(m.onHeap, addr)
	m.heap -= size
	m.mu.Unlock()
	return ok && m.Free(addr) == nil
}

// assertFail ends the launch as a failed assert() does.
func assertFail(w *warp, o *op, lane int, args [5]uint64) uint64 {
	message, _ := w.text(o, lane, args[0])
	file, _ := w.text(o, lane, args[1])
	function, _ := w.text(o, lane, args[3])
	if w.fault != nil { // a pointer was bad: that is the fault
		return 0
	}
	w.fail(o, lane, Assert, fmt.Sprintf("%s:%d: %s: Assertion `%s` failed.", file, uint32(args[2]), function, message))
	f := w.fault
	w.block.grid.print(fmt.Sprintf("%s:%d: %s: block: [%d,%d,%d], thread: [%d,%d,%d] Assertion `%s` failed.\n", file, uint32(args[2]), function,
		f.Block[0], f.Block[1], f.Block[2], f.Thread[0], f.Thread[1], f.Thread[2], message))
	return 0
}
