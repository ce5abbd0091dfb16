package engine

import (
	"math"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// A shape is that of a product of matrices: m × k by k × n.
type shape struct{ m, n, k int }

// A matrixElem is a type of a matrix's elements.
type matrixElem struct {
	name  string
	bits  int  // of an element in a register
	each  int  // elements in a register
	exact bool // products of two are exact in float32
	float func(word uint32, i int) float32
	whole func(word uint32, i int) int32
}

// matrixElems are the types. Those of 64 bits and accumulators of 32 bits are read as they are.
var matrixElems = [...]matrixElem{
	{name: "f16", bits: 16, each: 2, exact: true, float: func(w uint32, i int) float32 { return number.F32FromF16(uint16(w >> (16 * i))) }},
	{name: "bf16", bits: 16, each: 2, float: func(w uint32, i int) float32 { return number.F32FromBF16(uint16(w >> (16 * i))) }},
	// Of a tf32 the hardware reads 19 bits.
	{name: "tf32", bits: 32, each: 1, float: func(w uint32, _ int) float32 { return math.Float32frombits(w &^ 0x1fff) }},
	{name: "e4m3", bits: 8, each: 4, exact: true, float: func(w uint32, i int) float32 { return number.F32FromF16(number.F16FromE4M3(uint8(w >> (8 * i)))) }},
	{name: "e5m2", bits: 8, each: 4, exact: true, float: func(w uint32, i int) float32 { return number.F32FromF16(number.F16FromE5M2(uint8(w >> (8 * i)))) }},
	{name: "s8", bits: 8, each: 4, whole: func(w uint32, i int) int32 { return int32(int8(w >> (8 * i))) }},
	{name: "u8", bits: 8, each: 4, whole: func(w uint32, i int) int32 { return int32(uint8(w >> (8 * i))) }},
	{name: "s4", bits: 4, each: 8, whole: func(w uint32, i int) int32 { return int32(w<<(28-4*i)) >> 28 }},
	{name: "u4", bits: 4, each: 8, whole: func(w uint32, i int) int32 { return int32(w >> (4 * i) & 15) }},
	// 32 bits are multiplied at once, so that a word counts as an element.
	{name: "b1", bits: 32, each: 1, whole: func(w uint32, _ int) int32 { return int32(w) }},
	{name: "f32", bits: 32, each: 1}, {name: "s32", bits: 32, each: 1}, {name: "f64", bits: 64, each: 1},
}

// matrixElemOf is the type of that name, nil if there is none.
func matrixElemOf(name string) *matrixElem {
	for i := range matrixElems {
		if matrixElems[i].name == name {
			return &matrixElems[i]
		}
	}
	return nil
}

// A matrixPart says which elements of a matrix lie in the registers of a lane: those of A are 8 rows by the quads of lanes that hold
// a row's elements in turn, and so on. See the PTX ISA manual, "Warp Level Matrix Multiply-Accumulate Instructions", the figures of
// the fragments of mma.m16n8k16; all shapes but m8n8k4 of .f16 are made of such parts.
type matrixPart struct {
	use  byte // 'a', 'b', or 'c' of an accumulator
	of   shape
	elem *matrixElem
}

// registers is how many hold the matrix once.
func (p matrixPart) registers() int {
	s := p.of
	switch p.use {
	case 'a':
		return s.m / 8 * (s.k / (4 * p.elem.each))
	case 'b':
		return s.n / 8 * (s.k / (4 * p.elem.each))
	}
	return s.m / 8 * s.n / 8 * 2 / p.elem.each
}

// size is the matrix's rows and columns.
func (p matrixPart) size() (rows, columns int) {
	switch p.use {
	case 'a':
		return p.of.m, p.of.k
	case 'b':
		return p.of.k, p.of.n
	}
	return p.of.m, p.of.n
}

// at is the place of element i in register r of a lane.
func (p matrixPart) at(lane, r, i int) (row, column int) {
	group, quad := lane>>2, lane&3
	s, each := p.of, p.elem.each
	high := min(s.m, 16) / 8 // rows of 8 in a part of up to 16 rows
	switch p.use {
	case 'a': // parts of 16 rows; in each, 8 rows by 8 rows for each step of k
		steps := s.k / (4 * each)
		part, r := r/(high*steps), r%(high*steps)
		return 16*part + group + 8*(r%high), r/high*4*each + quad*each + i
	case 'b': // parts of 8 columns
		steps := s.k / (4 * each)
		return r%steps*4*each + quad*each + i, r/steps*8 + group
	}
	// Parts of 16 rows and 8 columns; a pair of neighbours in each 8 rows.
	pairs := 2 / each // registers of a pair
	inPart := high * pairs
	part, r := r/inPart, r%inPart
	parts := s.n / 8
	return 16*(part/parts) + group + 8*(r/pairs), part%parts*8 + quad*2 + r%pairs + i
}
