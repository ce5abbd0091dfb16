package engine

import (
	"encoding/binary"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A matrixRows is 8×8 matrices of 16-bit elements whose rows lie in shared memory.
type matrixRows struct {
	registers []int32 // one for each matrix
	space     ptx.Space
	transpose bool
	store     bool
}

// ldmatrix decodes ldmatrix and stmatrix .sync.aligned.m8n8.xN{.trans}{.shared}.b16 r, [p], in which lanes 8j to 8j+7 give the addresses of
// the rows of matrix j.
// See the PTX ISA manual, "Warp Level Matrix Multiply-Accumulate Instructions: ldmatrix, stmatrix".
func (d *decoder) ldmatrix(in *ptx.Instruction) error {
	mods := in.Modifiers
	if len(mods) < 5 || strings.Join(mods[:3], ".") != "sync.aligned.m8n8" || mods[len(mods)-1] != "b16" || len(in.Operands) != 2 {
		return d.unsupported()
	}
	count := map[string]int{"x1": 1, "x2": 2, "x4": 4}[mods[3]]
	m := &matrixRows{store: in.Opcode == "stmatrix"}
	for _, x := range mods[4 : len(mods)-1] {
		switch x {
		case "trans":
			m.transpose = true
		case "shared", "shared::cta":
			m.space = ptx.SpaceShared
		default:
			return d.unsupported()
		}
	}
	if count == 0 {
		return d.unsupported()
	}
	regs, mem := in.Operands[0], in.Operands[1]
	if m.store {
		regs, mem = mem, regs
	}
	elems := []ptx.Operand{regs}
	if v, ok := regs.(*ptx.Vector); ok {
		elems = v.Elems
	}
	if len(elems) != count {
		return d.errorf("%d registers for %d matrices", len(elems), count)
	}
	for _, e := range elems {
		r, err := reg{}, error(nil)
		if m.store {
			r, err = d.source(e, "b32")
		} else {
			r, err = d.dest(e, "b32")
		}
		if err != nil {
			return err
		}
		m.registers = append(m.registers, r.slot)
	}
	at, err := d.address(mem)
	if err != nil {
		return err
	}
	at = d.wide(at)
	return d.aligned(op{a: at.base.slot, imm: at.off, size: 16, align: 15}, m, m.move)
}

// move copies the matrices. A lane holds two neighbours of a row: row lane/4, columns 2(lane%4) and the next.
func (m *matrixRows) move(w *warp, o *op) {
	var rows [4][8][]byte
	for j := range m.registers {
		for i := range 8 {
			lane := 8*j + i
			addr := w.r64[o.a][lane] + uint64(o.imm)
			if m.space == "" {
				if addr-sharedWindow >= windowSize {
					w.fail(o, lane, IllegalAddress, "a row that is not in shared memory")
					return
				}
				addr -= sharedWindow
			}
			if rows[j][i] = w.bytes(o, lane, ptx.SpaceShared, addr, 16); rows[j][i] == nil {
				return
			}
		}
	}
	for j, r := range m.registers {
		for lane := range 32 {
			for i := range 2 {
				row, column := lane/4, lane%4*2+i
				if m.transpose {
					row, column = column, row
				}
				b, shift := rows[j][row][2*column:], 16*i
				if m.store {
					binary.LittleEndian.PutUint16(b, uint16(w.r32[r][lane]>>shift))
				} else {
					w.r32[r][lane] = w.r32[r][lane]&^(0xffff<<shift) | uint32(binary.LittleEndian.Uint16(b))<<shift
				}
			}
		}
	}
}

// movmatrix decodes movmatrix.sync.aligned.m8n8.trans.b16 d, a.
// See the PTX ISA manual, "Warp Level Matrix Multiply-Accumulate Instructions: movmatrix".
func (d *decoder) movmatrix(in *ptx.Instruction) error {
	if in.Form() != "movmatrix.sync.aligned.m8n8.trans.b16" || len(in.Operands) != 2 {
		return d.unsupported()
	}
	from, err := d.source(in.Operands[1], "b32")
	if err != nil {
		return err
	}
	to, err := d.dest(in.Operands[0], "b32")
	if err != nil {
		return err
	}
	return d.aligned(op{d: to.slot, a: from.slot}, nil, func(w *warp, o *op) {
		a, d := w.r32[o.a], &w.r32[o.d] // a is a copy: d may be the same register
		for lane := range 32 {
			v := uint32(0)
			for i := range 2 {
				row, column := lane%4*2+i, lane/4
				v |= a[4*row+column/2] >> (16 * (column & 1)) & 0xffff << (16 * i)
			}
			d[lane] = v
		}
	})
}
