package engine

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWmma loads matrices from memory in either order, multiplies them and stores the result.
func TestWmma(t *testing.T) {
	for _, c := range []struct {
		shape          string
		m, n, k        int
		types          string // of mma
		a, d           string // of load and store
		ra, rb, rc, rd int    // registers
	}{
		{"m16n16k16", 16, 16, 16, "f32.f32", "f16", "f32", 8, 8, 8, 8},
		{"m16n16k16", 16, 16, 16, "f16.f16", "f16", "f16", 8, 8, 4, 4},
		{"m8n32k16", 8, 32, 16, "f32.f32", "f16", "f32", 8, 8, 8, 8},
		{"m32n8k16", 32, 8, 16, "f32.f32", "f16", "f32", 8, 8, 8, 8},
		{"m16n16k16", 16, 16, 16, "f32.bf16.bf16.f32", "bf16", "f32", 4, 4, 8, 8},
		{"m32n8k16", 32, 8, 16, "f32.bf16.bf16.f32", "bf16", "f32", 8, 2, 8, 8},
		{"m16n16k16", 16, 16, 16, "s32.s8.s8.s32", "s8", "s32", 2, 2, 8, 8},
		{"m8n32k16", 8, 32, 16, "s32.u8.u8.s32", "u8", "s32", 1, 4, 8, 8},
		{"m16n16k8", 16, 16, 8, "f32.tf32.tf32.f32", "tf32", "f32", 4, 4, 8, 8},
		{"m8n8k4", 8, 8, 4, "f64.f64.f64.f64", "f64", "f64", 1, 1, 2, 2},
	} {
		for _, layout := range []string{"row.col", "col.row", "row.row"} {
			for _, space := range []string{"global", "", "shared"} {
				name := fmt.Sprintf("%s.%s.%s.%s", layout, c.shape, c.types, space)
				t.Run(name, func(t *testing.T) {
					la, lb, _ := strings.Cut(layout, ".")
					a, b, d := newOperand(c.a, 0, nil, c.m, c.k), newOperand(c.a, 0, nil, c.k, c.n), newOperand(c.d, 0, nil, c.m, c.n)
					const gap = 16 // elements between rows or columns, more than needed
					var in []byte
					at := func(m operandMatrix, rows, columns int, byColumns bool) (offset, stride int) {
						offset = len(in)
						stride = pick(byColumns, rows, columns) + gap
						in = append(in, make([]byte, (pick(byColumns, columns, rows)*stride*m.bits/8+15)/16*16)...)
						for r := range rows {
							for k := range columns {
								var word [8]byte
								binary.LittleEndian.PutUint64(word[:], m.encode(m.value[r][k]))
								i := r*stride + k
								if byColumns {
									i = k*stride + r
								}
								copy(in[offset+i*m.bits/8:][:m.bits/8], word[:])
							}
						}
						return offset, stride
					}
					oa, sa := at(a, c.m, c.k, la == "col")
					ob, sb := at(b, c.k, c.n, lb == "col")
					oc, sc := at(d, c.m, c.n, false)
					reg := func(first, n int, wide bool) string {
						var s []string
						for i := range n {
							s = append(s, fmt.Sprintf(pick(wide, "%%fd%d", "%%r%d"), first+i))
						}
						return strings.Join(s, ", ")
					}
					wide := c.a == "f64"
					ra, rb, rc, rd := reg(10, c.ra, wide), reg(18, c.rb, wide), reg(pick(wide, 4, 34), c.rc, wide), reg(26, c.rd, wide)
					body, dot, base := "", pick(space == "", "", "."+space), "%rd2"
					if space == "shared" {
						base = "%rd6"
						body = lines("mov.u32 %r2, %r0; mov.u64 %rd6, shared;",
							"COPY: mul.wide.u32 %rd7, %r2, 4; add.u64 %rd8, %rd2, %rd7; ld.global.u32 %r3, [%rd8]; add.u64 %rd8, %rd6, %rd7; st.shared.u32 [%rd8], %r3;",
							fmt.Sprintf("add.u32 %%r2, %%r2, 32; setp.lt.u32 %%p1, %%r2, %d; @%%p1 bra COPY; bar.sync 0;", len(in)/4), "")
					}
					body += lines(
						fmt.Sprintf("mov.u32 %%r2, %d; wmma.load.a.sync.aligned.%s.%s%s.%s {%s}, [%s+%d], %%r2;", sa, la, c.shape, dot, c.a, ra, base, oa),
						fmt.Sprintf("mov.u32 %%r2, %d; wmma.load.b.sync.aligned.%s.%s%s.%s {%s}, [%s+%d], %%r2;", sb, lb, c.shape, dot, c.a, rb, base, ob),
						fmt.Sprintf("mov.u32 %%r2, %d; wmma.load.c.sync.aligned.row.%s%s.%s {%s}, [%s+%d], %%r2;", sc, c.shape, dot, c.d, rc, base, oc),
						fmt.Sprintf("wmma.mma.sync.aligned.%s.%s.%s {%s}, {%s}, {%s}, {%s};", layout, c.shape, c.types, rd, ra, rb, rc),
						fmt.Sprintf("wmma.store.d.sync.aligned.col.%s.global.%s [%%rd3], {%s};", c.shape, c.d, rd))
					words, err := small{inputs: len(in) / 4, in: func(i int) uint32 { return binary.LittleEndian.Uint32(in[4*i:]) }, words: 1024}.run(t, body)
					require.NoError(t, err)
					for row := range c.m {
						for column := range c.n {
							sum := d.value[row][column]
							for k := range c.k {
								sum += a.value[row][k] * b.value[k][column]
							}
							i := column*c.m + row
							got := math.NaN()
							switch c.d {
							case "f64":
								got = math.Float64frombits(uint64(words[2*i]) | uint64(words[2*i+1])<<32)
							case "f32":
								got = float64(math.Float32frombits(words[i]))
							case "s32":
								got = float64(int32(words[i]))
							case "f16":
								require.EqualValues(t, d.encode(sum), words[i/2]>>(16*(i&1))&0xffff)
								continue
							}
							require.Equal(t, sum, got, "row %d, column %d", row, column)
						}
					}
				})
			}
		}
	}
	_, err := small{}.run(t, "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, [%rd0], %r1;")
	require.ErrorContains(t, err, "address and stride must be the same in all lanes")
}

// rowsInShared puts word 4i+j of the input, in row i, at 16i+4j of shared memory; %r4 is the address of row lane.
const rowsInShared = "mov.u32 %r5, shared; shl.b32 %r4, %r0, 4; add.u32 %r4, %r5, %r4; mul.wide.u32 %rd5, %r0, 16; add.u64 %rd5, %rd2, %rd5; " +
	"ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd5]; st.shared.v4.u32 [%r4], {%r10, %r11, %r12, %r13}; bar.warp.sync -1;\n"

// halves has element (row, column) of matrix j at 64j + 8*row + column, and that is its value.
func halves(i int) uint32 { return uint32(2*i) | uint32(2*i+1)<<16 }

func TestLdmatrix(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       func(lane, matrix, i int) int
	}{
		{"x4", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%r4];",
			func(lane, j, i int) int { return 64*j + 8*(lane/4) + lane%4*2 + i }},
		{"x4 transposed", "ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%r20, %r21, %r22, %r23}, [%r4];",
			func(lane, j, i int) int { return 64*j + 8*(lane%4*2+i) + lane/4 }},
		{"x2 and x1, generic", "cvt.u64.u32 %rd6, %r4; cvta.shared.u64 %rd6, %rd6; ldmatrix.sync.aligned.m8n8.x2.b16 {%r20, %r21}, [%rd6]; ldmatrix.sync.aligned.m8n8.x1.b16 {%r22}, [%rd6]; mov.u32 %r23, %r22;",
			func(lane, j, i int) int { return pick(j < 2, 64*j, 0) + 8*(lane/4) + lane%4*2 + i }},
		{"stored", lines("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%r4];",
			"stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r4+1024], {%r20, %r21, %r22, %r23};",
			"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%r4+1024];"),
			func(lane, j, i int) int { return 64*j + 8*(lane%4*2+i) + lane/4 }},
		{"moved", lines("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%r4];",
			"movmatrix.sync.aligned.m8n8.trans.b16 %r20, %r20; movmatrix.sync.aligned.m8n8.trans.b16 %r30, %r21; mov.u32 %r21, %r30;"),
			func(lane, j, i int) int {
				return 64*j + pick(j < 2, 8*(lane%4*2+i)+lane/4, 8*(lane/4)+lane%4*2+i)
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := small{inputs: 128, in: halves, words: 128}.run(t, rowsInShared+c.body+
				"\nmul.wide.u32 %rd7, %r0, 16; add.u64 %rd7, %rd3, %rd7; st.global.v4.u32 [%rd7], {%r20, %r21, %r22, %r23};")
			require.NoError(t, err)
			for lane := range 32 {
				for j := range 4 {
					for i := range 2 {
						require.EqualValues(t, c.want(lane, j, i), out[4*lane+j]>>(16*i)&0xffff, "lane %d, matrix %d", lane, j)
					}
				}
			}
		})
	}
	_, err := small{inputs: 128}.run(t, rowsInShared+"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%r4+4];")
	require.ErrorContains(t, err, "is no multiple of 16")
	_, err = small{inputs: 128}.run(t, rowsInShared+"ldmatrix.sync.aligned.m8n8.x1.b16 {%r20}, [%rd0];")
	require.ErrorContains(t, err, "a row that is not in shared memory")
	assert.ErrorContains(t, loadSmall(t, "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20}, [%r4];"), "1 registers for 4 matrices")
}
