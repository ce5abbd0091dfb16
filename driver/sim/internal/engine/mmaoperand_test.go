package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// An operandMatrix is a matrix in the registers of a warp.
type operandMatrix struct {
	elem  string
	count int // elements of a lane
	place placeOf
	value [][]float64
	wide  bool
	regs  int
	bits  int
}

var elemBits = map[string]int{"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "s32": 32, "f64": 64, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1, "e4m3": 8, "e5m2": 8}

func newOperand(elem string, count int, place placeOf, rows, columns int) operandMatrix {
	m := operandMatrix{elem: elem, count: count, place: place, bits: elemBits[elem], wide: elem == "f64"}
	m.regs = max(count*m.bits/32, 1)
	if m.wide {
		m.regs = count
	}
	r := rand.New(rand.NewPCG(uint64(rows), uint64(columns)))
	for range rows {
		var row []float64
		for range columns {
			v := float64(r.IntN(15) - 7)
			switch elem {
			case "u8", "u4":
				v = math.Abs(v)
			case "b1":
				v = float64(r.IntN(2))
			case "e5m2":
				v = float64(r.IntN(5) - 2)
			}
			row = append(row, v)
		}
		m.value = append(m.value, row)
	}
	return m
}

// encode is a value as the bits of the type.
func (m *operandMatrix) encode(v float64) uint64 {
	switch m.elem {
	case "f16":
		return uint64(number.F16FromF32(float32(v)))
	case "bf16":
		return uint64(math.Float32bits(float32(v)) >> 16)
	case "tf32", "f32":
		return uint64(math.Float32bits(float32(v)))
	case "f64":
		return math.Float64bits(v)
	case "e4m3":
		return uint64(number.E4M3FromF32(float32(v)))
	case "e5m2":
		return uint64(number.E5M2FromF32(float32(v)))
	}
	return uint64(int64(v)) & (1<<m.bits - 1)
}

// names are the registers, for one of the instruction's operands.
func (m *operandMatrix) names(use int) string {
	var s []string
	for i := range m.regs {
		s = append(s, m.reg(use, i))
	}
	return strings.Join(s, ", ")
}

func (m *operandMatrix) reg(use, i int) string {
	if m.wide {
		return fmt.Sprintf("%%fd%d", 8*use+i)
	}
	return fmt.Sprintf("%%r%d", 20+8*use+i)
}

// load adds the instructions and input words that fill the registers.
func (m *operandMatrix) load(body *string, in *[]uint32, use int) string {
	each := m.regs * pick(m.wide, 2, 1)
	begin := len(*in)
	*in = append(*in, make([]uint32, 32*each)...)
	for lane := range 32 {
		for i := range m.count {
			row, column := m.place(lane>>2, lane&3, i)
			v := m.encode(m.value[row][column])
			bit := i * m.bits
			at := begin + lane*each + bit/32
			(*in)[at] |= uint32(v << (bit % 32))
			if m.wide {
				(*in)[at+1] = uint32(v >> 32)
			}
		}
	}
	*body += fmt.Sprintf("mul.lo.u32 %%r2, %%r0, %d; cvt.u64.u32 %%rd5, %%r2; add.u64 %%rd5, %%rd5, %%rd2;\n", 4*each)
	for i := range m.regs {
		*body += fmt.Sprintf("ld.global.%s %s, [%%rd5+%d];\n", pick(m.wide, "f64", "b32"), m.reg(use, i), 4*begin+pick(m.wide, 8, 4)*i)
	}
	return m.names(use)
}

// store adds the instructions that write the registers of the result: 16 words for each lane.
func (m *operandMatrix) store() (body string) {
	body = "mul.lo.u32 %r2, %r0, 64; cvt.u64.u32 %rd5, %r2; add.u64 %rd5, %rd5, %rd3;\n"
	for i := range m.regs {
		body += fmt.Sprintf("st.global.%s [%%rd5+%d], %s;\n", pick(m.wide, "f64", "b32"), pick(m.wide, 8, 4)*i, m.reg(3, i))
	}
	return body
}

// read finds an element of the result.
func (m *operandMatrix) read(words []uint32, row, column int) float64 {
	for lane := range 32 {
		for i := range m.count {
			if r, c := m.place(lane>>2, lane&3, i); r != row || c != column {
				continue
			}
			switch w := words[16*lane:]; m.elem {
			case "f16":
				return float64(number.F32FromF16(uint16(w[i/2] >> (16 * (i & 1)))))
			case "f32":
				return float64(math.Float32frombits(w[i]))
			case "f64":
				return math.Float64frombits(uint64(w[2*i]) | uint64(w[2*i+1])<<32)
			default:
				return float64(int32(w[i]))
			}
		}
	}
	return math.NaN()
}
