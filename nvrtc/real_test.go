package nvrtc_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

const axpyTemplate = `
template <typename T> __global__ void axpy(const T *x, T *y, T alpha) {
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	y[i] += alpha * x[i];
}
__constant__ float cc;
`

// everyReal runs f on each real NVRTC that is here.
func everyReal(t *testing.T, f func(t *testing.T, c *nvrtc.Compiler)) {
	nvrtctest.Real(t, dlVersion(0, 0))
	for _, c := range nvrtctest.Reals() {
		t.Run(c.Version().String(), func(t *testing.T) { f(t, c) })
	}
}

// TestAllOfSetupAreHere: where ci/setup ran, no version is left out silently.
func TestAllOfSetupAreHere(t *testing.T) {
	if !nvrtctest.Required("nvrtc") {
		t.Skip("PURECUDA_REQUIRE does not list nvrtc")
	}
	for _, minor := range []int{2, 8} {
		nvrtctest.Real(t, dlVersion(11, minor))
	}
	nvrtctest.Real(t, dlVersion(12, 4))
}

func TestRealNVRTC(t *testing.T) {
	everyReal(t, func(t *testing.T, c *nvrtc.Compiler) {
		archs, err := c.SupportedArchs()
		require.NoError(t, err)
		require.Contains(t, archs, nvrtc.Virtual(8, 0))
		p, err := c.NewProgram(axpyTemplate, nvrtc.ProgramConfig{Name: "axpy.cu", Exports: []string{"axpy<float>", "axpy<double>", "&cc"}})
		require.NoError(t, err)
		defer p.Close()
		ctx, cancel := context.WithCancel(context.Background()) // so that a flow callback is set, where there is one
		defer cancel()
		// The same program again and again, for something else each time.
		for _, arch := range []nvrtc.Arch{nvrtc.Virtual(8, 0), nvrtc.Real(8, 0), archs[len(archs)-1]} {
			require.NoError(t, p.Compile(ctx, "--gpu-architecture="+arch.String(), "--std=c++17"))
			ptx, err := p.PTX()
			require.NoError(t, err)
			assert.Contains(t, ptx, fmt.Sprintf(".target sm_%d", arch.Number()))
			assert.NotContains(t, ptx, "\x00")
			for export, want := range map[string]string{"axpy<float>": "_Z4axpyIfEvPKT_PS0_S0_", "axpy<double>": "_Z4axpyIdEvPKT_PS0_S0_", "&cc": "cc"} {
				name, err := p.LoweredName(export)
				require.NoError(t, err)
				assert.Equal(t, want, name)
				assert.Contains(t, ptx, want)
			}
			cubin, err := p.CUBIN()
			if arch.Kind == nvrtc.RealArch {
				require.NoError(t, err)
				assert.Equal(t, "\x7fELF", string(cubin[:4]))
			} else {
				assert.ErrorIs(t, err, nvrtc.ErrNoOutput)
			}
		}
		if !c.Features().LTOIR {
			return
		}
		require.NoError(t, p.Compile(ctx, "-arch=sm_80", "-dlto"))
		lto, err := p.LTOIR()
		require.NoError(t, err)
		assert.NotEmpty(t, lto)
		_, err = p.PTX()
		assert.ErrorIs(t, err, nvrtc.ErrNoOutput)
	})
}

func TestRealNVRTCIsAskedForWhatItLacks(t *testing.T) {
	everyReal(t, func(t *testing.T, c *nvrtc.Compiler) {
		v := c.Version()
		assert.Equal(t, nvrtc.Features{
			Exports: true, CUBIN: v.AtLeast(11, 1), SupportedArchs: v.AtLeast(11, 2), NVVM: v.AtLeast(11, 4) && !v.AtLeast(13, 0), LTOIR: v.AtLeast(12, 0), OptiXIR: v.AtLeast(12, 0),
			Cancel: v.AtLeast(12, 8), PCH: v.AtLeast(12, 8), TileIR: v.AtLeast(13, 2), BundledHeaders: v.AtLeast(13, 3),
		}, c.Features(), "api.txt says when each function came")
	})
}

// slowSource takes seconds to compile.
func slowSource(n int) string {
	var b strings.Builder
	b.WriteString("extern \"C\" __global__ void k(float *x) {\n")
	for i := range n {
		fmt.Fprintf(&b, "x[%d] = x[%d] * x[%d];\n", i, i+1, (i*7919)%n)
	}
	return b.String() + "}\n"
}

func TestRealDeadlineReturnsAtOnce(t *testing.T) {
	everyReal(t, func(t *testing.T, c *nvrtc.Compiler) {
		p, err := c.NewProgram(slowSource(800), nvrtc.ProgramConfig{Name: "slow.cu"})
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		start := time.Now()
		err = p.Compile(ctx, "-arch=compute_80")
		waited := time.Since(start)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		if !c.Features().Cancel {
			assert.NotZero(t, c.Busy(), "NVRTC still compiles")
		}
		require.NoError(t, p.Close(), "its compile may still run")
		require.Eventually(t, func() bool { return c.Busy() == 0 }, 5*patience, 5*time.Millisecond)
		t.Logf("Compile returned after %v, NVRTC ended after %v", waited, time.Since(start))
		// It is as good as new.
		assert.True(t, taken(t, c, []string{"-w"}))
	})
}

// TestRealCancels stops NVRTC itself, where it can be.
func TestRealCancels(t *testing.T) {
	everyReal(t, func(t *testing.T, c *nvrtc.Compiler) {
		if !c.Features().Cancel {
			t.Skip("this NVRTC can't be stopped")
		}
		rounds := 300
		if testing.Short() {
			rounds = 20
		}
		source := slowSource(1500)
		cancelled := 0
		for i := range rounds {
			p, err := c.NewProgram(source, nvrtc.ProgramConfig{Name: "slow.cu"})
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(1+i%30)*time.Millisecond)
			if err := p.Compile(ctx, "-arch=compute_80", "--no-cache"); err != nil {
				require.ErrorIs(t, err, context.DeadlineExceeded)
				cancelled++
			}
			cancel()
			require.NoError(t, p.Close())
			require.Eventually(t, func() bool { return c.Busy() == 0 }, patience, time.Millisecond)
		}
		assert.NotZero(t, cancelled)
		t.Logf("%d of %d were cancelled", cancelled, rounds)
		assert.True(t, taken(t, c, []string{"-w"}))
	})
}

// TestRealNesting needs the compiler threads' large stacks.
func TestRealNesting(t *testing.T) {
	everyReal(t, func(t *testing.T, c *nvrtc.Compiler) {
		for _, depth := range []int{3_000, 30_000} {
			p, err := c.NewProgram("extern \"C\" __global__ void k(int *x) { *x = "+strings.Repeat("(", depth)+"1"+strings.Repeat(")", depth)+"; }", nvrtc.ProgramConfig{Name: "nested.cu"})
			require.NoError(t, err)
			defer p.Close()
			done := make(chan error)
			go func() { done <- p.Compile(context.Background(), "-arch=compute_80") }()
			require.NoError(t, <-done, "%d parentheses", depth)
		}
	})
}

// TestRealBuiltinsMissing runs in a child process: the builtins that are loaded
// here would serve.
func TestRealBuiltinsMissing(t *testing.T) {
	if path := os.Getenv("NVRTC_WITHOUT_BUILTINS"); path != "" {
		c, err := nvrtc.Open(nvrtc.Config{Path: path})
		require.NoError(t, err)
		p, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{Name: "k.cu"})
		require.NoError(t, err)
		defer p.Close()
		err = p.Compile(context.Background())
		var builtins *nvrtc.BuiltinsError
		require.ErrorAs(t, err, &builtins)
		assert.ErrorIs(t, err, nvrtc.BuiltinOperationFailure)
		assert.Contains(t, builtins.File, "libnvrtc-builtins.so."+c.Version().String())
		assert.Equal(t, path, builtins.Path)
		assert.ErrorContains(t, err, builtins.File)
		return
	}
	c := nvrtctest.Real(t, dlVersion(11, 8))
	dir := t.TempDir()
	text, err := os.ReadFile(c.Path())
	require.NoError(t, err)
	alone := filepath.Join(dir, "libnvrtc.so.11.2")
	require.NoError(t, os.WriteFile(alone, text, 0o755))
	cmd := exec.Command(os.Args[0], "-test.run=^TestRealBuiltinsMissing$", "-test.count=1")
	cmd.Env = append(os.Environ(), "NVRTC_WITHOUT_BUILTINS="+alone)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}
