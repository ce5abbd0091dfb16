package compile_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/compile"
)

// TestPrecompiledReal holds what the real NVRTC makes to what it makes without.
func TestPrecompiledReal(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{})
	if !c.Features().PCH {
		require.False(t, nvrtctest.Required("pch"), "NVRTC %s", c.Version())
		t.Skipf("NVRTC %s has no precompiled headers: 12.8 and later do", c.Version())
	}
	dirs, err := c.IncludeDirs()
	require.NoError(t, err)
	h := newHeads(t, &rig{t: t, compiler: c}, 0)
	for name, source := range map[string]string{
		"fp16": "#include <cuda_fp16.h>\n__global__ void k(__half *x) { x[threadIdx.x] = __hmul(x[threadIdx.x], x[0]); }\n",
		"groups": "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n#define N 32\n" +
			"namespace cg = cooperative_groups;\ntemplate <class T> __global__ void k(T *x) {\n" +
			"auto tile = cg::tiled_partition<N>(cg::this_thread_block());\nx[threadIdx.x] = cg::reduce(tile, x[threadIdx.x], cg::plus<T>());\n}\n",
		"warning": "#include <cuda_fp16.h>\n__global__ void k(__half *x) { int unused; x[0] = x[1]; }\n",
	} {
		for _, arch := range []string{"-arch=sm_90", "-arch=compute_80", "-lineinfo", "-G"} {
			h.seed++
			r := compile.Request{Compiler: c, Name: name + ".cu", Source: source, Options: []string{arch, "-std=c++17", "--no-cache"}}
			for _, dir := range dirs {
				r.Options = append(r.Options, "-I"+dir)
			}
			if name == "groups" {
				r.Exports = []string{"k<int>", "k<float>"}
			}
			want, err := compile.InProcess{}.Run(context.Background(), &r)
			require.NoError(t, err)
			before := h.Stats()
			for i := range 4 {
				got, err := h.Run(context.Background(), &r)
				require.NoError(t, err)
				assert.Equal(t, want.Log, got.Log, "%s %s", name, arch)
				assert.Equal(t, want.Lowered, got.Lowered)
				if want.Kind.String() == "cubin" {
					assert.Equal(t, want.Image, got.Image, "%s %s: %d", name, arch, i)
				}
			}
			after := h.Stats()
			t.Logf("%s %s: made %d, used %d, failed %d, %d bytes", name, arch, after.Made-before.Made, after.Used-before.Used, after.Failed-before.Failed, after.Bytes)
			assert.EqualValues(t, 2, after.Used-before.Used, "%s %s", name, arch)
			// An error in the kernel, and one that NVRTC has with the header.
			r.Source += "error\n"
			_, want2 := compile.InProcess{}.Run(context.Background(), &r)
			_, got := h.Run(context.Background(), &r)
			var refused *nvrtc.CompileError
			require.ErrorAs(t, want2, &refused)
			assert.Equal(t, want2, got)
		}
	}
	assert.Zero(t, h.Stats().Failed)
}

// TestPrecompiledStale is why heads are told by their headers: NVRTC takes a
// precompiled header of what a header was. Should it ever look, this fails.
func TestPrecompiledStale(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{})
	if !c.Features().PCH {
		require.False(t, nvrtctest.Required("pch"), "NVRTC %s", c.Version())
		t.Skipf("NVRTC %s has no precompiled headers: 12.8 and later do", c.Version())
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "a.h")
	r := compile.Request{Compiler: c, Source: "#include \"a.h\"\nextern \"C\" __global__ void k(int *x) { x[0] = A; }\n"}
	run := func(option string) string {
		r.Options = []string{"-I" + folder, "-arch=compute_80", "--no-cache", option + filepath.Join(folder, "a.pch")}
		e, err := compile.InProcess{}.Run(context.Background(), &r)
		require.NoError(t, err)
		return string(e.Image)
	}
	write(t, file, "#define A 4711\n")
	require.Contains(t, run("--create-pch="), "4711")
	write(t, file, "#define A 815\n")
	assert.Contains(t, run("--use-pch="), "4711")
}
