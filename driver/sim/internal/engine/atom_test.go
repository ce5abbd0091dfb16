package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAtoms does an operation on one word in each lane of a warp, in each space. next is what the operation makes of the word.
func TestAtoms(t *testing.T) {
	f32 := math.Float32bits
	plus := func(i int) uint32 { return uint32(i*7 + 1) }
	for _, c := range []struct {
		op    string
		bits  int
		first uint64
		in    func(i int) uint32
		next  func(old uint64, x uint32) uint64
	}{
		{"add.u32", 32, 5, plus, func(o uint64, x uint32) uint64 { return uint64(uint32(o) + x) }},
		{"add.s32", 32, 0xffffffff, plus, func(o uint64, x uint32) uint64 { return uint64(uint32(o) + x) }},
		{"min.u32", 32, 100, func(i int) uint32 { return uint32(90 - i) }, func(o uint64, x uint32) uint64 { return min(o, uint64(x)) }},
		{"min.s32", 32, 100, func(i int) uint32 { return uint32(5 - i) }, func(o uint64, x uint32) uint64 {
			return uint64(uint32(min(int32(o), int32(x))))
		}},
		{"max.u32", 32, 3, func(i int) uint32 { return uint32(5 - i) }, func(o uint64, x uint32) uint64 { return max(o, uint64(x)) }},
		{"max.s32", 32, 3, func(i int) uint32 { return uint32(9 - i) }, func(o uint64, x uint32) uint64 {
			return uint64(uint32(max(int32(o), int32(x))))
		}},
		{"inc.u32", 32, 0, func(int) uint32 { return 5 }, func(o uint64, x uint32) uint64 { return pick(o >= uint64(x), 0, o+1) }},
		{"dec.u32", 32, 9, func(int) uint32 { return 5 }, func(o uint64, x uint32) uint64 {
			return pick(o == 0 || o > uint64(x), uint64(x), o-1)
		}},
		{"and.b32", 32, 0xffffffff, func(i int) uint32 { return ^uint32(1 << i) }, func(o uint64, x uint32) uint64 { return o & uint64(x) }},
		{"or.b32", 32, 0, func(i int) uint32 { return 1 << i }, func(o uint64, x uint32) uint64 { return o | uint64(x) }},
		{"xor.b32", 32, 77, plus, func(o uint64, x uint32) uint64 { return o ^ uint64(x) }},
		{"exch.b32", 32, 77, plus, func(_ uint64, x uint32) uint64 { return uint64(x) }},
		{"cas.b32", 32, 0, plus, func(o uint64, x uint32) uint64 { return pick(uint32(o)+1 == x, uint64(x+6), o) }},
		{"add.f32", 32, uint64(f32(0.5)), func(i int) uint32 { return f32(float32(i) / 3) }, func(o uint64, x uint32) uint64 {
			return uint64(f32(math.Float32frombits(uint32(o)) + math.Float32frombits(x)))
		}},
		{"add.u64", 64, 1 << 40, plus, func(o uint64, x uint32) uint64 { return o + uint64(x)<<32 + uint64(x) }},
		{"min.u64", 64, 1 << 63, plus, func(o uint64, x uint32) uint64 { return min(o, uint64(x)<<32+uint64(x)) }},
		{"min.s64", 64, 0, func(i int) uint32 { return uint32(3 - i) }, func(o uint64, x uint32) uint64 {
			return uint64(min(int64(o), int64(uint64(x)<<32+uint64(x))))
		}},
		{"max.u64", 64, 0, plus, func(o uint64, x uint32) uint64 { return max(o, uint64(x)<<32+uint64(x)) }},
		{"max.s64", 64, 1 << 63, func(i int) uint32 { return uint32(3 - i) }, func(o uint64, x uint32) uint64 {
			return uint64(max(int64(o), int64(uint64(x)<<32+uint64(x))))
		}},
		{"and.b64", 64, math.MaxUint64, plus, func(o uint64, x uint32) uint64 { return o & (uint64(x)<<32 + uint64(x)) }},
		{"or.b64", 64, 0, plus, func(o uint64, x uint32) uint64 { return o | (uint64(x)<<32 + uint64(x)) }},
		{"xor.b64", 64, 0, plus, func(o uint64, x uint32) uint64 { return o ^ (uint64(x)<<32 + uint64(x)) }},
		{"exch.b64", 64, 0, plus, func(_ uint64, x uint32) uint64 { return uint64(x)<<32 + uint64(x) }},
		{"cas.b64", 64, 8<<32 + 8, plus, func(o uint64, x uint32) uint64 {
			return pick(o == uint64(x)<<32+uint64(x), o+7<<32+7, o)
		}},
		{"add.f64", 64, math.Float64bits(0.25), func(i int) uint32 { return 0x40000000 + uint32(i)<<17 }, func(o uint64, x uint32) uint64 {
			return math.Float64bits(math.Float64frombits(o) + math.Float64frombits(uint64(x)<<32+uint64(x)))
		}},
		{"cas.b16", 16, 1, func(i int) uint32 { return uint32(1 + i) }, func(o uint64, x uint32) uint64 {
			return pick(o == uint64(x), uint64(x+1), o)
		}},
		{"add.noftz.f16", 16, 0, func(int) uint32 { return 0x3c00 }, func(o uint64, x uint32) uint64 { // 1.0 each
			for n := uint64(0); ; n++ {
				if o == f16Numbers[n] {
					return f16Numbers[n+1]
				}
			}
		}},
		{"add.noftz.bf16", 16, 0x3f80, func(int) uint32 { return 0 }, func(o uint64, x uint32) uint64 { return o }},
		{"add.noftz.f16x2", 32, 0x3c00_0000, func(int) uint32 { return 0x3c00 }, func(o uint64, x uint32) uint64 {
			for n := 0; ; n++ {
				if o == 0x3c00_0000+f16Numbers[n] {
					return 0x3c00_0000 + f16Numbers[n+1]
				}
			}
		}},
		{"add.noftz.bf16x2", 32, 0x3f80_4000, func(int) uint32 { return 0 }, func(o uint64, x uint32) uint64 { return o }},
	} {
		for _, space := range []string{"global", "shared", ""} {
			for _, red := range []bool{false, true} {
				cas := c.op[:3] == "cas"
				if red && (cas || c.op[:3] == "exc") {
					continue
				}
				t.Run(fmt.Sprintf("%s.%s/%v", space, c.op, red), func(t *testing.T) {
					at := "mov.u64 %rd9, " + pick(space == "global", "global", "shared") + ";\n"
					if space == "" {
						at = "mov.u64 %rd9, shared; cvta.shared.u64 %rd9, %rd9;\n"
					}
					dot := pick(space == "", "", "."+space)
					reg := map[int]string{16: "%h", 32: "%r", 64: "%rd"}[c.bits]
					args := reg + "5"
					if cas {
						args = map[int]string{16: "%h5, %h6", 32: "%r7, %r6", 64: "%rd5, %rd6"}[c.bits]
					}
					do := fmt.Sprintf("atom%s.%s %s8, [%%rd9+8], %s;", dot, c.op, reg, args)
					if red {
						do = fmt.Sprintf("red%s.%s [%%rd9+8], %s;", dot, c.op, args)
					}
					body := lines(at,
						"mov.u32 %r5, %r1; cvt.u16.u32 %h5, %r1; mov.b64 %rd5, {%r1, %r1}; add.u32 %r6, %r1, 6; sub.u32 %r7, %r1, 1; add.u16 %h6, %h5, 1; mov.b64 %rd6, 0x0000000700000007; add.u64 %rd6, %rd6, %rd5;",
						fmt.Sprintf("mov.u64 %%rd7, %#x; st%s.u%d [%%rd9+8], %%rd7;", c.first, dot, c.bits),
						do,
						"mul.lo.u32 %r9, %r0, 16; cvt.u64.u32 %rd10, %r9; add.u64 %rd10, %rd10, %rd3;", // what was and what is, for each thread
						"mov.u64 %rd11, 0; st.global.u64 [%rd10], %rd11; st.global.u64 [%rd10+8], %rd11;",
						fmt.Sprintf("st.global.u%d [%%rd10], %s8;", c.bits, reg),
						fmt.Sprintf("ld%s.u%d %%rd11, [%%rd9+8]; st.global.u64 [%%rd10+8], %%rd11;", dot, c.bits))
					out, err := small{in: c.in, words: 128}.run(t, body)
					require.NoError(t, err)
					word := c.first
					for i := range 32 {
						if !red {
							require.Equal(t, word, uint64(out[4*i])|uint64(out[4*i+1])<<32, "lane %d", i)
						}
						word = c.next(word, c.in(i))
					}
					require.Equal(t, word, uint64(out[2])|uint64(out[3])<<32)
				})
			}
		}
	}
}

// f16Numbers are 0, 1, 2, ... as f16.
var f16Numbers = func() (n []uint64) {
	n = append(n, 0)
	for i := 1; i < 40; i++ {
		e := int(math.Log2(float64(i)))
		n = append(n, uint64(15+e)<<10|uint64(i<<(10-e))&0x3ff)
	}
	return n
}()

func TestAtomEdges(t *testing.T) {
	at := "mov.u64 %rd9, global; mov.u32 %r5, shared;\n"
	subnormal := "mov.u32 %r6, 5; mov.f32 %f1, 0f00000001;\n"
	for _, c := range []struct {
		name, body string
		want       uint32
	}{
		{"global add.f32 flushes", subnormal + "st.global.u32 [%rd9], %r6; atom.global.add.f32 %f2, [%rd9], %f1; ld.global.u32 %r2, [%rd9];", 0},
		{"shared add.f32 does not", subnormal + "st.shared.u32 [%r5], %r6; atom.shared.add.f32 %f2, [%r5], %f1; ld.shared.u32 %r2, [%r5];", 6},
		{"a sink", "mov.u32 %r6, 5; st.global.u32 [%rd9], %r6; atom.global.add.u32 _, [%rd9], 3; ld.global.u32 %r2, [%rd9];", 8},
		{"numbers", "mov.u32 %r6, 5; st.global.u32 [%rd9], %r6; atom.global.cas.b32 %r7, [%rd9], 5, 9; ld.global.u32 %r2, [%rd9];", 9},
		{"a float", "mov.f32 %f1, 0f3f800000; st.global.f32 [%rd9], %f1; atom.global.add.f32 %f2, [%rd9], 0f40000000; ld.global.u32 %r2, [%rd9];", 0x40400000},
		{"the other half stays", "mov.u32 %r6, 0x11112222; st.global.u32 [%rd9], %r6; mov.u16 %h1, 0x1111; mov.u16 %h2, 7; atom.global.cas.b16 %h3, [%rd9+2], %h1, %h2; ld.global.u32 %r2, [%rd9];", 0x00072222},
		{"orders and scopes", "mov.u32 %r6, 5; st.global.u32 [%rd9], %r6; atom.acq_rel.gpu.global.add.u32 %r7, [%rd9], 3; red.release.sys.global.add.u32 [%rd9], 3; ld.global.u32 %r2, [%rd9];", 11},
		{"a vector", lines("mov.u64 %rd5, 0x400000003f800000; st.global.u64 [%rd9], %rd5; mov.f32 %f1, 0f3f800000; mov.f32 %f2, 0f40000000;",
			"atom.global.v2.f32.add {%f3, %f4}, [%rd9], {%f1, %f2}; red.global.add.v2.f32 [%rd9], {%f1, %f1}; add.f32 %f3, %f3, %f4; ld.global.f32 %f5, [%rd9+4]; mul.f32 %f5, %f3, %f5; mov.b32 %r2, %f5;"), 0x41700000}, // (1+2)*5
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := small{threads: 1}.run(t, at+c.body+putR2)
			require.NoError(t, err)
			require.Equal(t, c.want, out[0])
		})
	}
	for body, want := range map[string]string{
		"atom.global.add.u32 %r2, [%rd9+2], 1;":                                        "MisalignedAddress",
		"atom.global.add.u32 %r2, [%rd9+1024], 1;":                                     "IllegalAddress",
		"atom.shared.add.u32 %r2, [%r5+8192], 1;":                                      "IllegalAddress",
		"mov.u64 %rd9, local; cvta.local.u64 %rd9, %rd9; atom.add.u32 %r2, [%rd9], 1;": "IllegalAddress",
	} {
		_, err := small{threads: 1}.run(t, at+body)
		var f *Fault
		require.ErrorAs(t, err, &f, body)
		assert.Equal(t, pick(want == "MisalignedAddress", MisalignedAddress, IllegalAddress), f.Kind, body)
	}
	for _, body := range []string{
		"atom.global.add.f16 %h1, [%rd9], %h2;", "atom.global.mul.u32 %r2, [%rd9], 1;", "atom.local.add.u32 %r2, [%rd9], 1;",
		"atom.global.cas.b128 %r2, [%rd9], 1, 2;", "atom.global.v2.u32.add {%r2, %r3}, [%rd9], {%r2, %r3};", "red.global.cas.b32 [%rd9], 1;",
	} {
		var u *UnsupportedError
		require.ErrorAs(t, loadSmall(t, body), &u, body)
	}
}

// TestAtomsOfWorkers adds to the same words from blocks that run on several goroutines.
func TestAtomsOfWorkers(t *testing.T) {
	p, m := loadText(t, smallText(lines(
		"red.global.add.u32 [%rd3], 1; mov.u16 %h1, 0x3c00;",
		"atom.global.inc.u32 %r2, [%rd3+4], 0xffff;",
		"red.global.add.f32 [%rd3+8], 0f3f800000;",
		"red.global.add.noftz.f16 [%rd3+12], %h1; and.b32 %r3, %r0, 1; setp.eq.u32 %p1, %r3, 1; @%p1 red.global.add.noftz.f16 [%rd3+14], %h1;",
		"red.global.add.u64 [%rd3+16], 3;")))
	in, err := m.Alloc(4 * 32)
	require.NoError(t, err)
	out, err := m.Alloc(24)
	require.NoError(t, err)
	const blocks = 60
	l := &Launch{Kernel: p.Kernel("k"), Grid: [3]uint32{blocks, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: params(in.Base, out.Base)}
	_, err = Run(context.Background(), l, &Config{Workers: 4})
	require.NoError(t, err)
	assert.EqualValues(t, 32*blocks, binary.LittleEndian.Uint32(out.Data))
	assert.EqualValues(t, 32*blocks, binary.LittleEndian.Uint32(out.Data[4:]))
	assert.EqualValues(t, 32*blocks, math.Float32frombits(binary.LittleEndian.Uint32(out.Data[8:])))
	assert.EqualValues(t, 0x6780, binary.LittleEndian.Uint16(out.Data[12:])) // 1920
	assert.EqualValues(t, 0x6380, binary.LittleEndian.Uint16(out.Data[14:])) // 960
	assert.EqualValues(t, 3*32*blocks, binary.LittleEndian.Uint64(out.Data[16:]))
}
