package engine

import (
	"math"
	"math/bits"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// A product is d = a × b + c of matrices that a warp holds in its registers.
//
// Of floating-point numbers the products are added to c in the order of k, each sum rounded to float32 (float64 of .f64), and a result
// of .f16 is rounded once more at the end. What the hardware's tensor cores do is not documented: they add several products at once with bits to
// spare, so that results differ in the last bits. Integers are exact.
type product struct {
	a, b, c, d     matrixPart
	ra, rb, rc, rd []int32 // registers
	saturate       bool    // of integers: clamp instead of going round
	combine        func(a, b int32) int32
	multiply       func(p *product, w *warp)
}

// kinds of products.
var (
	productF32 = (*product).floats
	productS32 = (*product).integers
	productF64 = (*product).doubles
)

const matrixMost = 32 * 32

// each calls f for every element of a matrix, with its place, lane, register and place in that. What lies in more registers than
// needed lies there again.
func (p matrixPart) each(registers []int32, f func(row, column, lane int, register int32, i int)) {
	for r := range p.registers() {
		for lane := range 32 {
			for i := range p.elem.each {
				row, column := p.at(lane, r, i)
				f(row, column, lane, registers[r], i)
			}
		}
	}
}

func (p *product) floats(w *warp) {
	var a, b, c [matrixMost]float32 // b by columns
	s := p.a.of
	p.a.each(p.ra, func(row, k, lane int, r int32, i int) { a[row*s.k+k] = p.a.elem.float(w.r32[r][lane], i) })
	p.b.each(p.rb, func(k, column, lane int, r int32, i int) { b[column*s.k+k] = p.b.elem.float(w.r32[r][lane], i) })
	p.c.each(p.rc, func(row, column, lane int, r int32, i int) {
		if word := w.r32[r][lane]; p.c.elem.bits == 32 {
			c[row*s.n+column] = math.Float32frombits(word)
		} else {
			c[row*s.n+column] = p.c.elem.float(word, i)
		}
	})
	for row := range s.m {
		for column := range s.n {
			x, y := a[row*s.k:][:s.k], b[column*s.k:][:s.k]
			sum := c[row*s.n+column]
			for k, v := range x {
				sum = number.FMAF32(v, y[k], sum)
			}
			c[row*s.n+column] = sum
		}
	}
	p.d.each(p.rd, func(row, column, lane int, r int32, i int) {
		v := c[row*s.n+column]
		if p.d.elem.bits == 32 {
			w.r32[r][lane] = math.Float32bits(v)
			return
		}
		shift := 16 * i
		w.r32[r][lane] = w.r32[r][lane]&^(0xffff<<shift) | uint32(number.F16FromF32(v))<<shift
	})
}

func (p *product) integers(w *warp) {
	var a, b, c [matrixMost]int32
	s := p.a.of
	p.a.each(p.ra, func(row, k, lane int, r int32, i int) { a[row*s.k+k] = p.a.elem.whole(w.r32[r][lane], i) })
	p.b.each(p.rb, func(k, column, lane int, r int32, i int) { b[column*s.k+k] = p.b.elem.whole(w.r32[r][lane], i) })
	p.c.each(p.rc, func(row, column, lane int, r int32, i int) { c[row*s.n+column] = int32(w.r32[r][lane]) })
	for row := range s.m {
		for column := range s.n {
			x, y := a[row*s.k:][:s.k], b[column*s.k:][:s.k]
			sum := int64(c[row*s.n+column])
			for k, v := range x {
				sum += int64(p.combine(v, y[k]))
			}
			if p.saturate {
				sum = min(max(sum, math.MinInt32), math.MaxInt32)
			}
			c[row*s.n+column] = int32(sum)
		}
	}
	p.d.each(p.rd, func(row, column, lane int, r int32, i int) { w.r32[r][lane] = uint32(c[row*s.n+column]) })
}

func (p *product) doubles(w *warp) {
	var a, b, c [16 * 16]float64
	s := p.a.of
	p.a.each(p.ra, func(row, k, lane int, r int32, i int) { a[row*s.k+k] = math.Float64frombits(w.r64[r][lane]) })
	p.b.each(p.rb, func(k, column, lane int, r int32, i int) { b[column*s.k+k] = math.Float64frombits(w.r64[r][lane]) })
	p.c.each(p.rc, func(row, column, lane int, r int32, i int) { c[row*s.n+column] = math.Float64frombits(w.r64[r][lane]) })
	for row := range s.m {
		for column := range s.n {
			sum := c[row*s.n+column]
			for k := range s.k {
				sum = number.FMAF64(a[row*s.k+k], b[column*s.k+k], sum)
			}
			c[row*s.n+column] = sum
		}
	}
	p.d.each(p.rd, func(row, column, lane int, r int32, i int) { w.r64[r][lane] = math.Float64bits(c[row*s.n+column]) })
}

func multiplied(a, b int32) int32 { return a * b }
func xorCounted(a, b int32) int32 { return int32(bits.OnesCount32(uint32(a ^ b))) }
func andCounted(a, b int32) int32 { return int32(bits.OnesCount32(uint32(a & b))) }
