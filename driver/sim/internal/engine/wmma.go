package engine

import (
	"slices"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
)

// wmma decodes wmma.load, .store and .mma. The manual leaves open which lane holds which element; here it is as in mma.m16n8k16.
// See the PTX ISA manual, "Warp Level Matrix Multiply-Accumulate Instructions: wmma.load, wmma.store, wmma.mma".
func (d *decoder) wmma(in *ptx.Instruction) error {
	mods := in.Modifiers
	switch {
	case len(mods) >= 8 && mods[0] == "mma" && mods[1] == "sync" && mods[2] == "aligned":
		return d.wmmaProduct(mods[3:])
	case len(mods) >= 7 && (mods[0] == "load" || mods[0] == "store") && mods[2] == "sync" && mods[3] == "aligned":
		return d.wmmaMemory(in, mods[0] == "store", mods[1], mods[4:])
	}
	return d.unsupported()
}

// wmmaProduct decodes what follows wmma.mma.sync.aligned: layouts, which the loads have dealt with, the shape, and the types of d and c
// or of d, a, b and c.
func (d *decoder) wmmaProduct(mods []string) error {
	if len(d.in.Operands) != 4 || !isLayout(mods[0]) || !isLayout(mods[1]) {
		return d.unsupported()
	}
	p, name, types := &product{}, mods[2], mods[3:]
	if types[len(types)-1] == "satfinite" {
		p.saturate, types = true, types[:len(types)-1]
	}
	if types[0] == "rn" && types[len(types)-1] == "f64" {
		types = types[1:]
	}
	if len(types) == 2 {
		types = []string{types[0], "f16", "f16", types[1]}
	}
	if len(types) != 4 {
		return d.unsupported()
	}
	return d.product(p, "wmma", name, types)
}

func isLayout(s string) bool { return s == "row" || s == "col" }

// A matrixMemory is a matrix in memory.
type matrixMemory struct {
	part      matrixPart
	registers []int32
	columns   bool // by columns, not by rows
	space     ptx.Space
	stride    int32 // the register with the distance of rows or columns in elements; -1 where they are close together
}

// wmmaMemory decodes wmma.load.USE.sync.aligned.LAYOUT.SHAPE{.SPACE}.TYPE r, [p]{, stride} and wmma.store.d.... [p], r{, stride}.
func (d *decoder) wmmaMemory(in *ptx.Instruction, store bool, use string, mods []string) error {
	elem := matrixElemOf(mods[len(mods)-1])
	if elem == nil || !isLayout(mods[0]) || len(in.Operands) != 2 && len(in.Operands) != 3 {
		return d.unsupported()
	}
	m := &matrixMemory{columns: mods[0] == "col", stride: -1}
	switch space := strings.Join(mods[2:len(mods)-1], "."); space {
	case "", "global", "shared", "shared::cta":
		m.space = ptx.Space(strings.TrimSuffix(space, "::cta"))
	default:
		return d.unsupported()
	}
	factor, ok := elem.name, true // the type of factors that go with it
	switch {
	case store && use == "d", !store && use == "c":
		use = "c"
		factor = map[string]string{"f16": "f16", "f32": "f16", "s32": "s8", "f64": "f64"}[elem.name]
	case !store && (use == "a" || use == "b"):
		ok = !slices.Contains([]string{"f32", "s32"}, elem.name)
	default:
		return d.unsupported()
	}
	s, have := shapeOf("wmma", mods[1], factor)
	if !have && elem.name == "f32" {
		s, have = shapeOf("wmma", mods[1], "tf32")
	}
	if !ok || !have {
		return d.unsupported()
	}
	m.part = matrixPart{use[0], s, elem}
	regs, mem := in.Operands[0], in.Operands[1]
	if store {
		regs, mem = mem, regs
	}
	var err error
	if m.registers, err = d.matrixRegisters(regs, m.part, "wmma", !store); err != nil {
		return err
	}
	at, err := d.address(mem)
	if err != nil {
		return err
	}
	at = d.wide(at)
	if len(in.Operands) == 3 {
		r, err := d.source(in.Operands[2], "u32")
		if err != nil {
			return err
		}
		m.stride = r.slot
	}
	size := elem.bits / 8
	if elem.name == "tf32" {
		size = 4
	}
	return d.aligned(op{a: at.base.slot, imm: at.off, size: uint8(size), align: uint8(size - 1), slot: d.nextSlot()}, m,
		func(w *warp, o *op) { m.move(w, o, store) })
}

// move copies the matrix between memory and registers.
func (m *matrixMemory) move(w *warp, o *op, out bool) {
	base := w.r64[o.a][0]
	rows, columns := m.part.size()
	stride := uint64(pick(m.columns, rows, columns))
	if m.stride >= 0 {
		stride = uint64(w.r32[m.stride][0])
	}
	for lane := range 32 {
		if w.r64[o.a][lane] != base || m.stride >= 0 && uint64(w.r32[m.stride][lane]) != stride {
			w.fail(o, lane, Undefined, "address and stride must be the same in all lanes")
			return
		}
	}
	e := m.part.elem
	for n, r := range m.registers {
		for lane := range 32 {
			for i := range e.each {
				row, column := m.part.at(lane, n%m.part.registers(), i)
				if m.columns {
					row, column = column, row
				}
				b := w.bytes(o, lane, m.space, base+uint64(o.imm)+(uint64(row)*stride+uint64(column))*uint64(o.size), uint64(o.size))
				switch {
				case b == nil:
					return
				case w.block.watch != nil && w.touched(o, lane, m.space, base+uint64(o.imm)+(uint64(row)*stride+uint64(column))*uint64(o.size), out):
					return
				case e.bits == 64 && out:
					store(b, w.r64[r][lane])
				case e.bits == 64:
					w.r64[r][lane] = little(b)
				case out:
					store(b, uint64(w.r32[r][lane]>>(e.bits*i)))
				default:
					mask := uint32(1)<<e.bits - 1
					w.r32[r][lane] = w.r32[r][lane]&^(mask<<(e.bits*i)) | uint32(little(b))<<(e.bits*i)
				}
			}
		}
	}
}
