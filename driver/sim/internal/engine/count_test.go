package engine

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// counted runs a small kernel with one block and counts.
func counted(t testing.TB, threads uint32, body string) *Counts {
	t.Helper()
	m, err := ptx.Parse(smallText(body))
	require.NoError(t, err)
	c := &Config{Count: true}
	p, memory := loadChecked(t, m, c)
	in, err := memory.Alloc(1 << 16)
	require.NoError(t, err)
	stats, err := Run(context.Background(), &Launch{Kernel: p.Kernel("k"), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{threads, 1, 1}, Params: params(in.Base, in.Base)}, c)
	require.NoError(t, err)
	return stats.Counts
}

// TestCountsOfMemory has accesses whose sectors and passes are known: %r0 is the lane, %r1 what is loaded by the kernel's own first load, from %rd0.
func TestCountsOfMemory(t *testing.T) {
	at := func(scale string) string { // %rd5 is where the lane's element is
		return "mul.wide.u32 %rd5, %r0, " + scale + "; add.u64 %rd5, %rd2, %rd5;\n"
	}
	shared := func(scale string) string {
		return "mul.lo.u32 %r4, %r0, " + scale + "; mov.u32 %r5, shared; add.u32 %r4, %r4, %r5;\n"
	}
	for _, c := range []struct {
		name, body string
		threads    uint32
		loads      Requests // besides the kernel's own: 4 sectors
		stores     Requests
		shared     Wavefronts // loads
		written    Wavefronts
	}{
		{name: "words in a row", body: at("4") + "ld.global.u32 %r2, [%rd5];", loads: Requests{1, 4}},
		{name: "words in a row from the middle of a sector", body: at("4") + "ld.global.u32 %r2, [%rd5+16];", loads: Requests{1, 5}},
		{name: "every second word", body: at("8") + "ld.global.u32 %r2, [%rd5];", loads: Requests{1, 8}},
		{name: "a sector each", body: at("32") + "ld.global.u32 %r2, [%rd5];", loads: Requests{1, 32}},
		{name: "the same word", body: "ld.global.u32 %r2, [%rd2];", loads: Requests{1, 1}},
		{name: "bytes", body: at("1") + "st.global.u8 [%rd5], %r1;", stores: Requests{1, 1}},
		{name: "vectors", body: at("16") + "st.global.v4.u32 [%rd5], {%r1, %r1, %r1, %r1};", stores: Requests{1, 16}},
		{name: "doubles", body: at("8") + "ld.global.f64 %fd1, [%rd5];", loads: Requests{1, 8}},
		{name: "some lanes", body: at("4") + "setp.lt.u32 %p1, %r0, 9; @%p1 ld.global.u32 %r2, [%rd5];", loads: Requests{1, 2}},
		{name: "no lane", body: at("4") + "setp.gt.u32 %p1, %r0, 99; @%p1 ld.global.u32 %r2, [%rd5];"},
		{name: "generic", body: at("4") + "ld.u32 %r2, [%rd5];", loads: Requests{1, 4}},
		{name: "no conflict", body: shared("4") + "ld.shared.u32 %r2, [%r4];", shared: Wavefronts{1, 1, 0}},
		{name: "two words of a bank", body: shared("8") + "ld.shared.u32 %r2, [%r4];", shared: Wavefronts{1, 2, 1}},
		{name: "a column", body: shared("128") + "st.shared.u32 [%r4], %r1;", written: Wavefronts{1, 32, 31}},
		{name: "a padded column", body: shared("132") + "st.shared.u32 [%r4], %r1;", written: Wavefronts{1, 1, 0}},
		{name: "one word for all", body: "mov.u32 %r5, shared; ld.shared.u32 %r2, [%r5];", shared: Wavefronts{1, 1, 0}},
		{name: "bytes of words", body: shared("1") + "st.shared.u8 [%r4], %r1;", written: Wavefronts{1, 1, 0}},
		{name: "doubles, by halves", body: shared("8") + "ld.shared.f64 %fd1, [%r4];", shared: Wavefronts{1, 2, 0}},
		{name: "doubles, every second", body: shared("16") + "ld.shared.f64 %fd1, [%r4];", shared: Wavefronts{1, 4, 2}},
		{name: "vectors, by quarters", body: shared("16") + "ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [%r4];", shared: Wavefronts{1, 4, 0}},
		{name: "two warps", body: at("4") + shared("4") + "ld.global.u32 %r2, [%rd5]; st.shared.u32 [%r4], %r2;", threads: 64, loads: Requests{2, 8}, written: Wavefronts{2, 2, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			threads := max(c.threads, 32)
			got := counted(t, threads, c.body)
			c.loads.add(Requests{uint64(threads / 32), uint64(threads / 8)})
			assert.Equal(t, c.loads, got.GlobalLoads)
			assert.Equal(t, c.stores, got.GlobalStores)
			assert.Equal(t, c.shared, got.SharedLoads)
			assert.Equal(t, c.written, got.SharedStores)
		})
	}
}

// TestCountsOfInstructions has the classes, branches and calls of a kernel that parts.
func TestCountsOfInstructions(t *testing.T) {
	none := counted(t, 64, "")
	got := counted(t, 64, lines(
		"setp.lt.u32 %p1, %r0, 8;",            // 2 warps: integer
		"@%p1 bra LOW;",                       // the first parts: control
		"add.f32 %f1, %f1, %f1; bra.uni END;", // 24 and 32 lanes
		"LOW: add.f64 %fd1, %fd1, %fd1;",      // 8 lanes
		"END: @%p1 sin.approx.f32 %f2, %f1;",  // 8 of 32, 0 of 32
		"cvt.rn.f32.u32 %f3, %r0; bar.sync 0; fma.rn.f16 %h1, %h1, %h1, %h1;",
		"shfl.sync.bfly.b32 %r2, %r0, 1, 31, -1; mov.u32 %r3, 1; atom.global.add.u32 %r4, [%rd2], 1;"))
	diff := func(c Class) Instructions {
		a, b := got.Classes[c], none.Classes[c]
		return Instructions{a.Warp - b.Warp, a.Thread - b.Thread, a.On - b.On}
	}
	for c, want := range map[Class]Instructions{
		Integer: {2, 64, 64}, Float32: {2, 56, 56}, Float64: {1, 8, 8}, Special: {2, 64, 8}, Conversion: {2, 64, 64}, Barrier: {2, 64, 64}, Half: {2, 64, 64},
		Warp: {2, 64, 64}, Move: {2, 64, 64}, Atomic: {2, 64, 64}, Control: {4, 64 + 56, 8 + 56}, Tensor: {},
	} {
		assert.Equal(t, want, diff(c), "%v", c)
	}
	assert.Equal(t, uint64(2), got.Branches)
	assert.Equal(t, uint64(1), got.Uniform)
	assert.InDelta(t, 0.5, got.BranchEfficiency(), 0)
	assert.Equal(t, Requests{2, 2}, got.GlobalAtomics)
	assert.InDelta(t, 32, none.ActiveLanes(), 0)
	assert.Less(t, got.ActiveLanes(), 32.0)
	assert.InDelta(t, 4, none.GlobalLoads.SectorsPerRequest(), 0)
	assert.Zero(t, none.GlobalStores.SectorsPerRequest())
	assert.InDelta(t, 1, none.BranchEfficiency(), 0)
}

// TestCountsOff has nothing counted, and nothing emitted for it.
func TestCountsOff(t *testing.T) {
	text := corpusText(t, "nvrtc-12.4-compute_80", "02_reduce_shared")
	m, err := ptx.Parse(text)
	require.NoError(t, err)
	plain, _ := loadChecked(t, m, &Config{})
	watched, _ := loadChecked(t, m, &Config{Count: true})
	assert.Greater(t, len(watched.Kernel("reduce").fn.code), len(plain.Kernel("reduce").fn.code))
	l := axpyLaunch(t, 1024)
	stats, err := Run(context.Background(), l, &Config{})
	require.NoError(t, err)
	assert.Nil(t, stats.Counts)
}

func TestClassNames(t *testing.T) {
	seen := map[string]bool{}
	for c := range classes {
		assert.NotEmpty(t, c.String())
		assert.False(t, seen[c.String()], "%v", c)
		seen[c.String()] = true
	}
	assert.Equal(t, "class", classes.String())
}
