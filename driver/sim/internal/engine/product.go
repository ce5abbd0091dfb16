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
	ia, ib, ic, id []int32 // where the elements in them lie in the matrices: see indices
	saturate       bool    // of integers: clamp instead of going round
	combine        func(a, b int32) int32
	multiply       func(p *product, w *warp)
}

const matrixMost = 32 * 32

// indices lists where the elements of a part lie in the whole matrix, that of b by columns: register by register, lane by lane.
func (p matrixPart) indices() (list []int32) {
	for r := range p.registers() {
		for lane := range 32 {
			for i := range p.elem.each {
				row, column := p.at(lane, r, i)
				switch p.use {
				case 'a':
					list = append(list, int32(row*p.of.k+column))
				case 'b':
					list = append(list, int32(column*p.of.k+row))
				default:
					list = append(list, int32(row*p.of.n+column))
				}
			}
		}
	}
	return list
}

// lay works out the indices.
func (p *product) lay() {
	p.ia, p.ib, p.ic, p.id = p.a.indices(), p.b.indices(), p.c.indices(), p.d.indices()
}

// gather reads a matrix from registers of 32 bits.
func gather[T float32 | int32](w *warp, to *[matrixMost]T, part matrixPart, registers, index []int32, read func(word uint32, i int) T) {
	n, each := 0, part.elem.each
	for _, r := range registers[:part.registers()] {
		for _, word := range w.r32[r] {
			for i := range each {
				to[index[n]&(matrixMost-1)] = read(word, i)
				n++
			}
		}
	}
}

func asFloat(word uint32, _ int) float32 { return math.Float32frombits(word) }
func asWhole(word uint32, _ int) int32   { return int32(word) }

// floats multiplies what is float32 or narrower.
func (p *product) floats(w *warp) {
	var a, b, c [matrixMost]float32
	s := p.a.of
	gather(w, &a, p.a, p.ra, p.ia, p.a.elem.float)
	gather(w, &b, p.b, p.rb, p.ib, p.b.elem.float)
	gather(w, &c, p.c, p.rc, p.ic, pick(p.c.elem.bits == 32, asFloat, p.c.elem.float))
	exact := p.a.elem.exact && p.b.elem.exact
	for row := range s.m {
		x := a[row*s.k:][:s.k]
		for column := range s.n {
			y, sum := b[column*s.k:][:len(x)], c[row*s.n+column]
			if exact { // no product is rounded
				for k, v := range x {
					sum += float32(v * y[k])
				}
				if sum != sum {
					sum = number.AddF32(sum, 0) // the one NaN
				}
			} else {
				for k, v := range x {
					sum = number.FMAF32(v, y[k], sum)
				}
			}
			c[row*s.n+column] = sum
		}
	}
	n := 0
	for _, r := range p.rd[:p.d.registers()] {
		d := &w.r32[r]
		for lane := range d {
			if p.d.elem.bits == 32 {
				d[lane] = math.Float32bits(c[p.id[n]])
				n++
				continue
			}
			d[lane] = number.Pack16(number.F16FromF32(c[p.id[n]]), number.F16FromF32(c[p.id[n+1]]))
			n += 2
		}
	}
}

// integers multiplies whole numbers.
func (p *product) integers(w *warp) {
	var a, b, c [matrixMost]int32
	s := p.a.of
	gather(w, &a, p.a, p.ra, p.ia, p.a.elem.whole)
	gather(w, &b, p.b, p.rb, p.ib, p.b.elem.whole)
	gather(w, &c, p.c, p.rc, p.ic, asWhole)
	for row := range s.m {
		x := a[row*s.k:][:s.k]
		for column := range s.n {
			y, sum := b[column*s.k:][:len(x)], int64(c[row*s.n+column])
			if p.combine == nil {
				for k, v := range x {
					sum += int64(v * y[k])
				}
			} else {
				for k, v := range x {
					sum += int64(p.combine(v, y[k]))
				}
			}
			if p.saturate {
				sum = min(max(sum, math.MinInt32), math.MaxInt32)
			}
			c[row*s.n+column] = int32(sum)
		}
	}
	n := 0
	for _, r := range p.rd {
		d := &w.r32[r]
		for lane := range d {
			d[lane] = uint32(c[p.id[n]])
			n++
		}
	}
}

// doubles multiplies float64.
func (p *product) doubles(w *warp) {
	var a, b, c [16 * 16]float64
	s := p.a.of
	read := func(to *[16 * 16]float64, registers, index []int32) {
		for j, r := range registers {
			for lane, v := range w.r64[r] {
				to[index[32*j+lane]] = math.Float64frombits(v)
			}
		}
	}
	read(&a, p.ra, p.ia)
	read(&b, p.rb, p.ib)
	read(&c, p.rc, p.ic)
	for row := range s.m {
		for column := range s.n {
			sum := c[row*s.n+column]
			for k := range s.k {
				sum = number.FMAF64(a[row*s.k+k], b[column*s.k+k], sum)
			}
			c[row*s.n+column] = sum
		}
	}
	for j, r := range p.rd {
		d := &w.r64[r]
		for lane := range d {
			d[lane] = math.Float64bits(c[p.id[32*j+lane]])
		}
	}
}

func xorCounted(a, b int32) int32 { return int32(bits.OnesCount32(uint32(a ^ b))) }
func andCounted(a, b int32) int32 { return int32(bits.OnesCount32(uint32(a & b))) }
