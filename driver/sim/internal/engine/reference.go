package engine

import (
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A refKind is what an instruction does to memory.
type refKind uint8

const (
	reads   refKind = 1
	writes  refKind = 2
	updates refKind = reads | writes // both in one step
)

// A reference is memory that an instruction works on.
type reference struct {
	kind   refKind
	access access
	at     ptx.Operand   // the address
	data   []ptx.Operand // of a load: what it goes to; of a store: what it comes from; one for each element
	size   int           // of all elements, in bytes
	lanes  int           // that give addresses, the first ones; 0: all
}

// references lists the memory that an instruction works on, where races and unwritten bytes are looked for: not constants and
// parameters.
func references(in *ptx.Instruction) []reference {
	if in == nil {
		return nil
	}
	a, x := accessOf(in), in.Operands
	switch a.space {
	case ptx.SpaceConst, ptx.SpaceParam:
		return nil
	}
	r := reference{access: a}
	switch in.Opcode {
	case "ld", "ldu":
		if len(x) < 2 {
			return nil
		}
		r.kind, r.at, r.data = reads, x[1], elements(x[0])
	case "st":
		if len(x) < 2 {
			return nil
		}
		r.kind, r.at, r.data = writes, x[0], elements(x[1])
	case "atom":
		if len(x) < 3 {
			return nil
		}
		r.kind, r.at = updates, x[1]
	case "red":
		if len(x) < 2 {
			return nil
		}
		r.kind, r.at = updates, x[0]
	case "mbarrier":
		if r.kind = updates; in.Has("init") || in.Has("inval") {
			r.kind = writes
		} else if in.Has("test_wait") || in.Has("try_wait") {
			r.kind = reads
		}
		r.at = firstAddress(x)
	case "ldmatrix", "stmatrix":
		if r.kind = reads; in.Opcode == "stmatrix" {
			r.kind = writes
		}
		r.at, r.access.elem, r.access.n = firstAddress(x), "b64", 2 // a row of 16 bytes
		r.lanes = 8
		if in.Has("x2") {
			r.lanes = 16
		} else if in.Has("x4") {
			r.lanes = 32
		}
	default:
		return nil
	}
	r.size = r.access.n * r.access.elem.Bytes()
	if r.at == nil || r.size == 0 || r.data != nil && len(r.data) != a.n {
		return nil // the decoder refuses it
	}
	return []reference{r}
}

// firstAddress is the first operand that is one, nil if there is none.
func firstAddress(xs []ptx.Operand) ptx.Operand {
	for _, x := range xs {
		if _, ok := x.(*ptx.Address); ok {
			return x
		}
	}
	return nil
}

// copyReads is what a cp.async reads.
func copyReads(in *ptx.Instruction) []reference {
	if in.Opcode != "cp" || len(in.Operands) < 3 || !strings.Contains(in.Form(), ".global") {
		return nil
	}
	size, ok := in.Operands[2].(*ptx.Int)
	if !ok || size.Value != 4 && size.Value != 8 && size.Value != 16 {
		return nil
	}
	return []reference{{kind: reads, access: access{space: ptx.SpaceGlobal, elem: "b32", n: int(size.Value / 4)}, at: in.Operands[1], size: int(size.Value)}}
}

// elements are those of a vector, or the operand alone.
func elements(x ptx.Operand) []ptx.Operand {
	if v, ok := x.(*ptx.Vector); ok {
		return v.Elems
	}
	return []ptx.Operand{x}
}

// address makes an operation's fields for the address of a reference, off bytes on.
func (v *watcher) address(o op, r reference, off int64) (op, error) {
	at, err := v.d.address(r.at)
	if err != nil {
		return o, err
	}
	at = v.d.wide(at)
	o.a, o.imm, o.slot, o.c = at.base.slot, at.off+off, v.d.nextSlot(), int32(r.lanes)
	return o, nil
}

// addressed are the running lanes that give an address to an operation of reference's.
func (w *warp) addressed(o *op) uint32 {
	if o.c == 0 {
		return w.mask
	}
	return w.mask & uint32(1<<o.c-1)
}
