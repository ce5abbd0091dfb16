package engine

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The fragments of mma as the manual words them: where element i of a lane in group g, t-th of it, lies.
type placeOf func(g, t, i int) (row, column int)

func within(i int, ranges ...int) bool {
	for k := 0; k < len(ranges); k += 2 {
		if i >= ranges[k] && i < ranges[k+1] {
			return true
		}
	}
	return false
}

var (
	accumulator16 placeOf = func(g, t, i int) (int, int) { return pick(i < 2, g, g+8), t*2 + i&1 }
	accumulator8  placeOf = func(g, t, i int) (int, int) { return g, t*2 + i&1 }
)

// TestMma multiplies matrices of small whole numbers, whose sums are exact in any order.
func TestMma(t *testing.T) {
	for _, c := range []struct {
		form    string // d.a.b.c
		m, n, k int
		ra, rb  int // elements of a lane
		a, b, d placeOf
		more    string // after the types
	}{
		{"f32.f16.f16.f32", 16, 8, 16, 8, 4,
			func(g, t, i int) (int, int) {
				return pick(within(i, 0, 2, 4, 6), g, g+8), pick(i < 4, t*2+i&1, t*2+i&1+8)
			},
			func(g, t, i int) (int, int) { return pick(i < 2, t*2+i&1, t*2+i&1+8), g }, accumulator16, ""},
		{"f16.f16.f16.f16", 16, 8, 16, 8, 4,
			func(g, t, i int) (int, int) {
				return pick(within(i, 0, 2, 4, 6), g, g+8), pick(i < 4, t*2+i&1, t*2+i&1+8)
			},
			func(g, t, i int) (int, int) { return pick(i < 2, t*2+i&1, t*2+i&1+8), g }, accumulator16, ""},
		{"f32.bf16.bf16.f32", 16, 8, 8, 4, 2,
			func(g, t, i int) (int, int) { return pick(i < 2, g, g+8), t*2 + i&1 },
			func(g, t, i int) (int, int) { return t*2 + i, g }, accumulator16, ""},
		{"f32.tf32.tf32.f32", 16, 8, 4, 2, 1,
			func(g, t, i int) (int, int) { return pick(i == 0, g, g+8), t },
			func(g, t, i int) (int, int) { return t, g }, accumulator16, ""},
		{"f32.tf32.tf32.f32", 16, 8, 8, 4, 2,
			func(g, t, i int) (int, int) { return pick(i == 0 || i == 2, g, g+8), pick(i < 2, t, t+4) },
			func(g, t, i int) (int, int) { return pick(i == 0, t, t+4), g }, accumulator16, ""},
		{"f64.f64.f64.f64", 8, 8, 4, 1, 1,
			func(g, t, i int) (int, int) { return g, t }, func(g, t, i int) (int, int) { return t, g }, accumulator8, ""},
		{"f64.f64.f64.f64", 16, 8, 16, 8, 4,
			func(g, t, i int) (int, int) { return pick(i&1 == 0, g, g+8), i/2*4 + t },
			func(g, t, i int) (int, int) { return i*4 + t, g }, accumulator16, ""},
		{"s32.s8.s8.s32", 8, 8, 16, 4, 4,
			func(g, t, i int) (int, int) { return g, t*4 + i }, func(g, t, i int) (int, int) { return t*4 + i, g }, accumulator8, ""},
		{"s32.u8.s8.s32", 16, 8, 32, 16, 8,
			func(g, t, i int) (int, int) {
				return pick(within(i, 0, 4, 8, 12), g, g+8), pick(i < 8, t*4+i&3, t*4+i&3+16)
			},
			func(g, t, i int) (int, int) { return pick(i < 4, t*4+i&3, t*4+i&3+16), g }, accumulator16, ""},
		{"s32.s8.u8.s32", 16, 8, 16, 8, 4,
			func(g, t, i int) (int, int) { return pick(i < 4, g, g+8), t*4 + i&3 },
			func(g, t, i int) (int, int) { return t*4 + i, g }, accumulator16, ""},
		{"s32.s4.u4.s32", 16, 8, 64, 32, 16,
			func(g, t, i int) (int, int) {
				return pick(within(i, 0, 8, 16, 24), g, g+8), pick(i < 16, t*8+i&7, t*8+i&7+32)
			},
			func(g, t, i int) (int, int) { return pick(i < 8, t*8+i&7, t*8+i&7+32), g }, accumulator16, ""},
		{"s32.b1.b1.s32", 16, 8, 256, 128, 64,
			func(g, t, i int) (int, int) {
				return pick(within(i, 0, 32, 64, 96), g, g+8), pick(i < 64, t*32+i&31, t*32+i&31+128)
			},
			func(g, t, i int) (int, int) { return pick(i < 32, t*32+i&31, t*32+i&31+128), g }, accumulator16, ".and.popc"},
		{"s32.b1.b1.s32", 8, 8, 128, 32, 32,
			func(g, t, i int) (int, int) { return g, t*32 + i }, func(g, t, i int) (int, int) { return t*32 + i, g }, accumulator8, ".xor.popc"},
		{"f32.e4m3.e5m2.f32", 16, 8, 32, 16, 8,
			func(g, t, i int) (int, int) {
				return pick(within(i, 0, 4, 8, 12), g, g+8), pick(i < 8, t*4+i&3, t*4+i&3+16)
			},
			func(g, t, i int) (int, int) { return pick(i < 4, t*4+i&3, t*4+i&3+16), g }, accumulator16, ""},
	} {
		name := fmt.Sprintf("mma.sync.aligned.m%dn%dk%d.row.col.%s%s", c.m, c.n, c.k, c.form, c.more)
		t.Run(name, func(t *testing.T) {
			types := strings.Split(c.form, ".")
			rd := 4
			if c.m == 8 {
				rd = 2
			}
			xs := [4]operandMatrix{newOperand(types[1], c.ra, c.a, c.m, c.k), newOperand(types[2], c.rb, c.b, c.k, c.n), newOperand(types[3], rd, c.d, c.m, c.n)}
			in, body := []uint32{}, ""
			var names [4]string
			for i := range 3 {
				names[i] = xs[i].load(&body, &in, i)
			}
			out := newOperand(types[0], rd, c.d, c.m, c.n)
			names[3] = out.names(3)
			body += fmt.Sprintf("%s {%s}, {%s}, {%s}, {%s};\n", name, names[3], names[0], names[1], names[2])
			body += out.store()
			words, err := small{inputs: len(in), in: func(i int) uint32 { return in[i] }, words: 32 * 16}.run(t, body)
			require.NoError(t, err)
			for row := range c.m {
				for column := range c.n {
					sum := xs[2].value[row][column]
					for k := range c.k {
						x, y := xs[0].value[row][k], xs[1].value[k][column]
						switch c.more {
						case ".xor.popc":
							sum += float64(int(x) ^ int(y))
						case ".and.popc":
							sum += float64(int(x) & int(y))
						default:
							sum += x * y
						}
					}
					require.Equal(t, sum, out.read(words, row, column), "row %d, column %d", row, column)
				}
			}
		})
	}
}

// TestMatrixParts: each element of a matrix lies in one place.
func TestMatrixParts(t *testing.T) {
	for _, shapes := range mmaShapes {
		key, names := shapes.of, shapes.names
		opcode, elem, _ := strings.Cut(key, " ")
		for _, name := range names {
			s, ok := shapeOf(opcode, name, elem)
			require.True(t, ok)
			for _, p := range []matrixPart{{'a', s, matrixElemOf(elem)}, {'b', s, matrixElemOf(elem)}, {'c', s, matrixElemOf("f32")}, {'c', s, matrixElemOf("f16")}} {
				rows, columns := p.size()
				seen := map[[2]int]bool{}
				for r := range p.registers() {
					for lane := range 32 {
						for i := range p.elem.each {
							row, column := p.at(lane, r, i)
							require.True(t, row < rows && column < columns, "%s %s %c: %d, %d", key, name, p.use, row, column)
							seen[[2]int{row, column}] = true
						}
					}
				}
				require.Len(t, seen, rows*columns, "%s %s %c", key, name, p.use)
				require.Equal(t, rows*columns, 32*p.registers()*p.elem.each, "%s %s %c", key, name, p.use)
			}
		}
	}
}

func TestMmaSaturates(t *testing.T) {
	body := lines("mov.u32 %r3, 0x01010101; mov.u32 %r4, 0x7ffffff8; setp.lt.u32 %p1, %r0, 16;",
		"mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32 {%r2, %r5}, {%r3}, {%r3}, {%r4, %r4};")
	out, err := small{}.run(t, body+putR2)
	require.NoError(t, err)
	assert.EqualValues(t, math.MaxInt32, out[0])
	out, err = small{}.run(t, strings.Replace(body, ".satfinite", "", 1)+putR2)
	require.NoError(t, err)
	assert.EqualValues(t, 0x80000008, out[0])
}

func TestMmaThatFails(t *testing.T) {
	mma := "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r2, %r5}, {%r3}, {%r3}, {%r4, %r4};"
	_, err := small{threads: 20}.run(t, mma)
	require.ErrorContains(t, err, "it takes all 32 lanes of the warp, and 12 are not there")
	_, err = small{}.run(t, "setp.lt.u32 %p1, %r0, 16; @%p1 bra L;\n"+mma+"\nret; L:\n"+mma)
	require.ErrorContains(t, err, "16 threads (16-31) wait at PTX line 23 (mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32) for the lanes 0x0000ffff of their warp")
	out, err := small{}.run(t, "setp.lt.u32 %p1, %r0, 16; mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 5; @%p1 bra L; nanosleep.u32 5; L:\n"+mma+putR2)
	require.NoError(t, err, "lanes that come apart from each other to the same instruction")
	assert.EqualValues(t, 5, out[31])
	for _, body := range []string{
		"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, {%r1, %r2}, {%r1, %r2}, {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};",
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r1, %r2}, {%f1, %f2, %f3, %f4};",
		"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r1, %r2}, {%f1, %f2, %f3, %f4}, %r5, 0;",
		"wmma.load.a.sync.aligned.row.m8n8k32.s4 {%r1}, [%rd1];",
		"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r3];",
	} {
		var u *UnsupportedError
		require.ErrorAs(t, loadSmall(t, body), &u, body)
	}
	require.ErrorContains(t, loadSmall(t, "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r2}, {%r3}, {%r3}, {%r4, %r4};"), "1 registers in place of 2")
}
