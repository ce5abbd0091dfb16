package engine

import (
	"fmt"

	"github.com/purecuda/purecuda/abi/ptx"
)

// An access is what the modifiers of a load, store or atomic operation say.
type access struct {
	space ptx.Space // "" is generic
	elem  ptx.Type
	n     int // elements: 1, 2, 4 or 8
	rest  []string
}

// accessOf reads modifiers. Hints about caches, and the order that a single access has anyway here, make no difference.
func accessOf(in *ptx.Instruction) access {
	a := access{n: 1}
	for _, m := range in.Modifiers {
		switch m {
		case "global", "shared", "local", "const", "param":
			a.space = ptx.Space(m)
		case "shared::cluster": // of the block, which is its own cluster
			a.space = ptx.SpaceShared
		case "shared::cta", "param::entry", "param::func":
			a.space = ptx.Space(m[:len(m)-5])
			if m != "shared::cta" {
				a.space = ptx.SpaceParam
			}
		case "v2":
			a.n = 2
		case "v4":
			a.n = 4
		case "v8":
			a.n = 8
		case "ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "volatile", "weak", "relaxed", "acquire", "release", "acq_rel", "mmio",
			"cta", "cluster", "gpu", "sys",
			"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate",
			"L2::evict_normal", "L2::evict_first", "L2::evict_last", "L2::64B", "L2::128B", "L2::256B", "L2::cache_hint", "unified":
		default:
			if ptx.Type(m).Bytes() > 0 {
				a.elem = ptx.Type(m)
			} else {
				a.rest = append(a.rest, m)
			}
		}
	}
	return a
}

// alignment is what the address of element i must be a multiple of, less one. The first stands for the whole vector.
func (a access) alignment(i int) int {
	if i == 0 {
		return a.n*a.elem.Bytes() - 1
	}
	return a.elem.Bytes() - 1
}

// An addressed is a decoded address operand.
type addressed struct {
	base reg
	off  int64
	v    *variable // nil where the base is a register or number
}

// address decodes [base+offset]. A symbol's address is in its own space.
func (d *decoder) address(x ptx.Operand) (addressed, error) {
	a, ok := x.(*ptx.Address)
	if !ok || len(a.Coords) > 0 {
		return addressed{}, d.errorf("%s is no address", x)
	}
	switch b := a.Base.(type) {
	case *ptx.Register:
		r, err := d.register(b.Name, b.Component)
		if err == nil && r.bank == bankPred {
			err = d.errorf("%s is no address", x)
		}
		return addressed{base: r, off: a.Offset}, err
	case *ptx.Int:
		return addressed{base: d.const64(uint64(b.Value)), off: a.Offset}, nil
	case *ptx.Symbol, *ptx.Element:
		name, off := "", a.Offset
		if s, ok := b.(*ptx.Symbol); ok {
			name, off = s.Name, off+s.Offset
		} else {
			e := b.(*ptx.Element)
			name, off = e.Name, off+e.Index // in bytes where it is a parameter; arrays of other elements are not indexed so by NVRTC
		}
		v := d.find(name)
		if v == nil {
			return addressed{}, d.errorf("%s is not declared", name)
		}
		r, err := d.symbol(name, 0, "b64")
		return addressed{base: r, off: off, v: v}, err
	}
	return addressed{}, d.errorf("%s is no address", x)
}

// within is an error where a named variable does not lie in the state space that the instruction accesses.
func (d *decoder) within(space ptx.Space, at addressed) error {
	if at.v == nil || space == "" {
		return nil
	}
	have := at.v.space
	if have == kernelParam {
		have = ptx.SpaceParam
	}
	if have != space {
		return d.errorf("%s lies in .%s", at.v.name, have)
	}
	return nil
}

// wide is an address with its base in a register of 64 bits.
func (d *decoder) wide(a addressed) addressed {
	if a.base.bank != bank64 {
		t := d.temp64()
		d.move(t, a.base)
		a.base = t
	}
	return a
}

// allocation is the one that a memory operation met last.
func (w *warp) allocation(o *op) *Allocation {
	if a := w.found[o.slot]; a != nil {
		return a
	}
	return &nowhere
}

var nowhere Allocation

// global finds the allocation that size bytes at addr lie in. It ends the launch and returns nil where there is none.
func (w *warp) global(o *op, lane int, addr uint64, size uint64) *Allocation {
	a := w.block.grid.launch.Kernel.program.memory.Find(addr)
	if a == nil || uint64(len(a.Data))-(addr-a.Base) < size {
		w.illegal(o, lane, addr, size)
		return nil
	}
	w.found[o.slot] = a
	return a
}

// illegal ends the launch for an access outside every allocation.
func (w *warp) illegal(o *op, lane int, addr, size uint64) {
	w.fail(o, lane, IllegalAddress, fmt.Sprintf("%s: %d bytes at %#x", w.block.grid.launch.Kernel.program.memory.Describe(addr), size, addr))
}

// misaligned ends the launch for an address that is no multiple of what is accessed.
func (w *warp) misaligned(o *op, lane int, addr uint64) {
	w.fail(o, lane, MisalignedAddress, fmt.Sprintf("misaligned address: %#x is no multiple of %d", addr, int(o.align)+1))
}

// bytes is the memory at an address in a space, for size bytes. It ends the launch and returns nil where there is none.
func (w *warp) bytes(o *op, lane int, space ptx.Space, addr, size uint64) []byte {
	if addr&uint64(o.align) != 0 {
		w.misaligned(o, lane, addr)
		return nil
	}
	if space == "" {
		switch {
		case addr-sharedWindow < windowSize:
			space, addr = ptx.SpaceShared, addr-sharedWindow
		case addr-localWindow < windowSize:
			space, addr = ptx.SpaceLocal, addr-localWindow
		case addr-paramWindow < windowSize:
			space, addr = kernelParam, addr-paramWindow
		}
	}
	switch space {
	case ptx.SpaceShared:
		if s := w.block.shared.Data; addr < uint64(len(s)) && uint64(len(s))-addr >= size {
			return s[addr : addr+size : addr+size]
		}
		w.fail(o, lane, IllegalAddress, fmt.Sprintf("outside the %d bytes of shared memory: %d bytes at %#x", len(w.block.shared.Data), size, addr))
		return nil
	case kernelParam:
		if p := w.block.grid.launch.Params; addr < uint64(len(p)) && uint64(len(p))-addr >= size {
			return p[addr : addr+size : addr+size]
		}
		w.fail(o, lane, IllegalAddress, fmt.Sprintf("outside the %d bytes of the kernel's parameters: %d bytes at %#x", len(w.block.grid.launch.Params), size, addr))
		return nil
	case ptx.SpaceLocal:
		top := uint64(w.act.local + w.act.fn.local)
		if s := w.local[lane]; addr < top && top-addr >= size && top <= uint64(len(s)) {
			return s[addr : addr+size : addr+size]
		}
		w.fail(o, lane, IllegalAddress, fmt.Sprintf("outside the %d bytes of local memory that the thread's functions have now: %d bytes at %#x", top, size, addr))
		return nil
	}
	a := w.global(o, lane, addr, size)
	if a == nil {
		return nil
	}
	off := addr - a.Base
	return a.Data[off : off+size : off+size]
}

// reserve makes room in the lanes' local memory.
func (w *warp) reserve(n int) {
	if n == 0 {
		return
	}
	for i := range w.local {
		if len(w.local[i]) < n {
			w.local[i] = append(w.local[i], make([]byte, n-len(w.local[i]))...)
		}
	}
}
