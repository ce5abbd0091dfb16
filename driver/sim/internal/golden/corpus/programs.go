package corpus

import (
	"encoding/binary"
	"math"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

func in(t Type, n int, f Fill) Param    { return Param{Type: t, N: n, Fill: f} }
func inOut(t Type, n int, f Fill) Param { return Param{Type: t, N: n, Fill: f, Out: true} }
func number(t Type, v float64) Param    { return Param{Type: t, Fill: same(v)} }

// but leaves numbers of a buffer out: those that the kernel's threads write in no order, clocks, and what the kernel makes of memory that it never wrote.
func (p Param) but(skip ...int) Param {
	p.Skip = map[int]bool{}
	for _, i := range skip {
		p.Skip[i] = true
	}
	return p
}

func span(low, high int) []int {
	var all []int
	for i := low; i < high; i++ {
		all = append(all, i)
	}
	return all
}

func dim(d ...uint32) [3]uint32 {
	x := [3]uint32{1, 1, 1}
	copy(x[:], d)
	return x
}

// lone is a kernel of one thread, since its threads would write over what others read; on many inputs.
func lone(file, kernel string, args ...Param) *Program {
	return &Program{File: file, Kernel: kernel, Grid: dim(1), Block: dim(1), Args: args, Runs: 16}
}

func program(file, kernel string, grid, block [3]uint32, args ...Param) *Program {
	return &Program{File: file, Kernel: kernel, Grid: grid, Block: block, Args: args}
}

func (p *Program) label(s string) *Program {
	p.Label = s
	return p
}

func (p *Program) runsOf(n int) *Program {
	p.Runs = n
	return p
}

func (p *Program) shared(n uint32) *Program {
	p.Shared = n
	return p
}

// Programs lists the programs: for each file of the corpus what its kernels do, but for textures and for kernels that launch others.
//
// Safe for concurrent use.
func Programs() []*Program {
	unit := between(-1, 1)
	all := []*Program{
		program("01_axpy", "axpy", dim(4), dim(256), number(F32, 2.7), in(F32, 1000, unit), inOut(F32, 1000, unit), number(I32, 1000)),
		program("02_reduce_shared", "reduce", dim(4), dim(256), in(F32, 5000, unit), inOut(F32, 4, zero), number(I32, 5000)),
		program("04_matmul_tiled", "mm", dim(2, 2), dim(16, 16), in(F32, 1024, unit), in(F32, 1024, unit), inOut(F32, 1024, zero), number(I32, 32)),
		program("05_matmul_naive_double", "mmd", dim(3, 3), dim(8, 8), in(F64, 400, unit), in(F64, 400, unit), inOut(F64, 400, zero), number(I32, 20)),
		program("08_atomics_shared_hist", "hist", dim(1), dim(256), in(I8, 3000, bits), inOut(I32, 258, zero), number(I32, 3000)),
		program("08_atomics_shared_hist", "hist", dim(3), dim(256), in(I8, 3000, bits), inOut(I32, 258, zero).but(256, 257), number(I32, 3000)).label("of three blocks"),
		program("10_vote_match", "vote", dim(1), dim(32), inOut(I32, 32, below(9)), inOut(I64, 32, below(5))).runsOf(8),
		lone("12_half", "hk", inOut(F16, 288, between(0.1, 4)), inOut(F16, 64, unit), inOut(F16, 192, between(-3, 3)), inOut(F32, 8, unit), inOut(I32, 1, zero)),
		lone("13_half_atomics", "ha", inOut(F16, 10, between(-9, 9)), inOut(F16, 12, between(-9, 9))),
		lone("14_bf16", "bk", inOut(BF16, 64, between(0.1, 4)), inOut(BF16, 8, between(0.1, 4)), inOut(BF16, 24, unit), inOut(F32, 8, unit)),
		lone("16_math_double", "md", inOut(F64, 40, between(0.05, 0.95)), number(I32, 4)),
		lone("17_math_intrinsics", "mi", inOut(F32, 12, between(0.1, 4)), inOut(F64, 1, between(0.5, 9)), number(I32, 4)),
		lone("18_convert", "cv", inOut(F32, 16, between(-100, 100)), inOut(F64, 16, between(-90, 90)), inOut(I32, 16, whole(-9999, 9999)), inOut(I32, 16, below(9999)), inOut(I64, 16, whole(-9999, 9999)), inOut(I64, 16, below(9999)),
			inOut(I16, 16, bits), inOut(I8, 16, bits), inOut(I8, 16, bits), inOut(I16, 16, bits)),
		program("21_recursion", "rec", dim(1), dim(1), inOut(I32, 2, below(6))).runsOf(8),
		program("22_fnptr", "fk", dim(1), dim(32), inOut(I32, 32, below(1000))),
		program("25_malloc_assert", "mk", dim(1), dim(4), inOut(I32, 68, same(5)).but(64, 65, 66, 67)),
		program("28_mma_asm", "ma", dim(1), dim(64), in(F16, 128, whole(-4, 4)), inOut(F32, 64, zero)),
		program("29_cp_async", "ca", dim(1), dim(128), in(F32, 640, unit), inOut(F32, 256, zero)),
		program("30_coop_groups", "cgk", dim(1), dim(32), inOut(F32, 32, unit), inOut(I32, 32, below(9))),
		lone("32_local_array", "la", inOut(I32, 64, below(1000)).but(2), number(I32, 40)), // p[2] has in it an element of d that most inputs leave unwritten
		program("33_constant_globals", "cg", dim(1), dim(1), inOut(F32, 8, unit)).runsOf(3),
		lone("34_templates_lambda", "_Z2tkIfEvPT_S0_", inOut(F32, 9, unit), number(F32, 1.25)),
		lone("34_templates_lambda", "_Z2tkIxEvPT_S0_", inOut(I64, 9, bits), number(I64, 77)),
		lone("34_templates_lambda", "_Z2tkIhEvPT_S0_", inOut(I8, 9, bits), number(I8, 7)),
		lone("34_templates_lambda", "_Z2tkIsEvPT_S0_", inOut(I16, 9, bits), number(I16, -9)),
		lone("36_bitops", "bo", inOut(I32, 15, bits), inOut(I32, 9, whole(1, 1e6))),
		lone("37_simd_video", "sv", inOut(I32, 3, bits)),
		lone("38_vector_loads", "vl", inOut(F32, 368, unit), inOut(I32, 4, bits), inOut(F64, 4, unit), inOut(I8, 8, bits), inOut(I16, 4, bits), inOut(I64, 4, bits), inOut(I16, 8, bits), inOut(I8, 4, bits)),
		program("40_clock_sregs", "cs", dim(2), dim(1), inOut(I32, 12, zero).but(0, 2, 3, 5, 6, 7, 8), inOut(I64, 2, zero).but(0, 1)),
		program("42_stencil2d", "st", dim(3, 3), dim(16, 8), in(F32, 960, unit), inOut(F32, 960, zero), number(I32, 40), number(I32, 24)),
		program("44_nbody", "nb", dim(2), dim(64), in(F32, 512, unit), inOut(F32, 512, zero), number(I32, 128), number(F32, 0.01)).shared(1024),
		program("45_bitonic", "bs", dim(4), dim(64), inOut(I32, 256, bits), number(I32, 4), number(I32, 8)),
		program("46_sha256", "sha", dim(1), dim(32), in(I32, 512, bits), inOut(I32, 256, zero)),
		program("48_softmax_layernorm", "sm", dim(4), dim(64), in(F32, 400, between(-5, 5)), inOut(F32, 400, zero), number(I32, 100)),
		program("49_spmv_csr", "sp", dim(10), dim(64), in(I32, 21, func(_ *golden.Dice, i int) float64 { return float64(40 * i) }), in(I32, 800, below(50)), in(F64, 800, unit), in(F64, 50, unit), inOut(F64, 20, zero), number(I32, 20)),
		program("50_transpose_pad", "tr", dim(2, 2), dim(32, 8), in(F64, 2000, unit), inOut(F64, 2000, zero), number(I32, 40), number(I32, 50)),
		program("52_divergence_loops", "dv", dim(1), dim(16), inOut(I32, 56, below(60)), number(I32, 40)).runsOf(8),
		program("53_spinlock_lastblock", "lb", dim(4), dim(64), in(F32, 256, whole(-9, 9)), inOut(F32, 3, zero).but(1)),
		lone("54_ldst_sizes", "ls", inOut(I8, 2, bits), inOut(I8, 2, bits), inOut(I16, 4, bits), inOut(I16, 4, bits), inOut(I8, 2, below(2)), inOut(I8, 2, bits), inOut(I32, 2, bits)),
		lone("56_addc_carry", "ac", inOut(I32, 7, bits), in(I32, 5, bits)),
		program("57_mbarrier_async", "mb2", dim(1), dim(32), inOut(I32, 32, zero)),
		program("58_named_barriers", "nbk", dim(1), dim(128), inOut(I32, 128, same(1))),
		lone("62_vla_switch_dense_str", "ss", in(I8, 40, func(d *golden.Dice, i int) float64 {
			if i == 39 {
				return 0
			}
			return float64("abcdef g"[int(d.Between(0, 8))])
		}), inOut(I32, 8, below(100))),
	}
	return append(append(all, atomics()...), others()...)
}

// atomics are the programs of 06_atomics_global: one thread, whose old values are seen, and several, of which only the results are that no order changes.
func atomics() []*Program {
	args := func(more bool) []Param {
		all := []Param{inOut(I32, 18, below(100)), inOut(I32, 15, below(20)), inOut(I64, 18, below(9)), inOut(F32, 12, between(-9, 9)), inOut(F64, 11, between(-9, 9)), inOut(I64, 2, whole(-9, 9))}
		if more {
			for i, skip := range [][]int{append(span(10, 18), 4), append(span(10, 15), 0), span(10, 18), {10, 11}, {10}, {1}} {
				all[i] = all[i].but(skip...)
			}
			all[3].Fill, all[4].Fill = whole(-9, 9), whole(-9, 9)
		}
		return all
	}
	return []*Program{
		lone("06_atomics_global", "at", args(false)...),
		program("06_atomics_global", "at", dim(1), dim(64), args(true)...).label("of many threads"),
	}
}

// others are the programs that need a sentence.
func others() []*Program {
	unit := between(-1, 1)
	// w is shuffled with a mask of half the warp by the whole of it, which the manual does not allow: it gets the mask of all.
	shuffle := program("09_warp_shuffle", "shf", dim(1), dim(32), inOut(F32, 32, unit), inOut(I32, 32, below(1000)), inOut(F64, 32, unit), inOut(I64, 32, bits)).runsOf(4)
	shuffle.Patch = [][2]string{{"65535", "-1"}}

	// The structs have 40 bytes, of which 4 to 7 and 37 to 39 are padding.
	var padding []int
	for i := range 7 {
		padding = append(padding, append(span(40*i+4, 40*i+8), span(40*i+37, 40*i+40)...)...)
	}
	structs := func(d *golden.Dice, i int) float64 {
		if at := i % 40; at >= 8 && at < 36 { // small whole numbers
			var b [40]byte
			binary.LittleEndian.PutUint64(b[8:], math.Float64bits(float64(i/40+3)))
			for k := range 5 {
				binary.LittleEndian.PutUint32(b[16+4*k:], math.Float32bits(float32(k+i/40)))
			}
			return float64(b[at])
		}
		return math.Floor(d.Between(0, 256))
	}
	all := []*Program{
		shuffle,
		// Thread 6 writes x[3] as thread 3 does.
		program("20_calls_noinline", "ck", dim(1), dim(7), inOut(F32, 7, between(0.5, 4)).but(3), inOut(I8, 280, structs).but(padding...)),
		program("70_bounds", "lbk", dim(1), dim(64), Param{Raw: []byte{0}},
			Param{Raw: append(append(make([]byte, 16), F64.bytes(2.5)...), append(I16.bytes(-7), make([]byte, 6)...)...)},
			Param{Raw: append(I32.bytes(-12345), make([]byte, 28)...)}, in(F32, 64, unit), inOut(F32, 64, zero), number(I8, 1), number(I8, -3), number(I16, 65000), number(I64, -1e12)),
		program("70_bounds", "vk", dim(1), dim(32), inOut(I32, 32, below(1000)), number(I32, 6)).label("with 6"),
		program("70_bounds", "vk", dim(1), dim(32), inOut(I32, 32, below(1000)), number(I32, 7)).label("with 7"),
	}
	for i, v := range []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"} {
		all = append(all, program("70_bounds", "sw", dim(1), dim(1), inOut(I32, 10, below(1000)), number(I32, float64(i))).label("with "+v))
	}
	for k, v := range []string{"global", "shared", "local", "constant"} {
		threads := uint32(8)
		if v == "constant" { // which has four numbers
			threads = 4
		}
		p := program("41_generic_ptrs", "gp", dim(1), dim(threads), inOut(I32, 9, below(1000)), number(I32, float64(k)))
		all = append(all, p.label("with "+v))
	}
	return all
}
