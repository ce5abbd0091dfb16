package rtc_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/rtc"
)

func TestKernelErrors(t *testing.T) {
	mod := compile(t, `
__global__ void scale(float *x) {}
namespace ns { __global__ void inner(float *x) {} template <typename T> __global__ void t(T *x) {} }
template <typename T> __global__ void axpy(const T *x, T *y) {}
extern "C" __global__ void plain(int n) {}
struct S { char c; double d; };
extern "C" __global__ void byValue(struct S s, int n) {}
extern "C" __global__ void nothing() {}
#if 0
extern "C" __global__ void ghost() {}
#endif
`, rtc.ModuleConfig{Exports: []string{"axpy<float>", "axpy<float>", "ns::t<int>"}})
	for _, c := range []struct {
		name      string
		signature []string
		want      []string
	}{
		{"scale", []string{"float *x"}, []string{"rtc: kernel scale of kernel.cu: no such kernel", "its name in the module is _Z5scalePf", `extern "C"`, `"scale" in Exports`}},
		{"inner", nil, []string{"_ZN2ns5innerEPf", `list "ns::inner" in Exports`}},
		{"ns::inner", nil, []string{"_ZN2ns5innerEPf"}},
		{"t", nil, []string{`ask for "ns::t<int>", as Exports has it`}},
		{"axpy<double>", nil, []string{"_Z5scalePf (scale(float*))", "plain", "only for the arguments that Exports names", `list "axpy<double>" there`}},
		{"ghost", nil, []string{"the source has it", "as with an #if", "the module has ", "plain"}},
		{"", nil, []string{"no such kernel"}},
		{"plain\x00", nil, []string{"no such kernel"}},
		{"plain", nil, []string{"state the signature"}},
		{"plain", []string{"int n", "int m"}, []string{"2 signatures given"}},
		{"plain", []string{"int n, int m"}, []string{"2 parameters", "takes 1"}},
		{"plain", []string{"double n"}, []string{"argument 0 (n)", "double (8 bytes)", "4 bytes"}},
		{"plain", []string{""}, []string{"takes 1"}},
		{"plain", []string{"itn n"}, []string{"itn", "float"}},
		{"nothing", []string{"int x"}, []string{"takes 0"}},
		{"byValue", []string{"struct S s"}, []string{"takes 2"}},
		{"axpy<float>", []string{"const float *x"}, []string{"takes 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := mod.Kernel(c.name, c.signature...)
			require.Error(t, err)
			for _, w := range c.want {
				assert.ErrorContains(t, err, w)
			}
		})
	}
	for _, c := range []struct{ name, signature, entry string }{
		{"axpy<float>", "const float *x, float *y", "_Z4axpyIfEvPKT_PS0_"},
		{"axpy< float >", "const float *x, float *y", "_Z4axpyIfEvPKT_PS0_"},
		{"_Z5scalePf", "float *", "_Z5scalePf"},
		{"nothing", "", "nothing"},
		{"nothing", "void", "nothing"},
		{"byValue", "struct S s, int n", "byValue"},
	} {
		k := kernel(t, mod, c.name, c.signature)
		assert.Equal(t, c.entry, k.Entry())
		assert.Equal(t, c.name, k.Name())
		assert.Same(t, mod, k.Module())
		assert.Contains(t, k.String(), c.name+"(")
	}
	k, err := mod.Kernel("ns::t<int>")
	require.NoError(t, err)
	assert.Equal(t, "ns::t<int>(int *)", k.String())

	empty := compile(t, "template <typename T> __global__ void k(T *x) {}", rtc.ModuleConfig{Name: "empty.cu"})
	_, err = empty.Kernel("k")
	assert.ErrorContains(t, err, `the module has none; a template is compiled only for the arguments that Exports names, such as "k<float>"`)
}

// TestManyParameters has kernels of none and of two hundred.
func TestManyParameters(t *testing.T) {
	r := newRig(t, plain)
	var source, signature strings.Builder
	args := make([]any, 200)
	for i := range args {
		if i > 0 {
			signature.WriteString(", ")
		}
		if i%2 == 0 {
			fmt.Fprintf(&signature, "char p%d", i)
			args[i] = int8(i / 2)
		} else {
			fmt.Fprintf(&signature, "double p%d", i)
			args[i] = float64(i)
		}
	}
	fmt.Fprintf(&source, "extern \"C\" __global__ void many(%s) {}\nextern \"C\" __global__ void none() {}", &signature)
	mod := compile(t, source.String(), rtc.ModuleConfig{})
	require.NoError(t, kernel(t, mod, "many", signature.String()).Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, args...))
	require.NoError(t, kernel(t, mod, "none", "").Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0))
	l := r.double.Launches()
	require.Len(t, l, 2)
	require.Len(t, l[0].Params, 200)
	for i := range args {
		if i%2 == 0 {
			assert.Equal(t, args[i], drivertest.Arg[int8](l[0], i))
		} else {
			assert.Equal(t, args[i], drivertest.Arg[float64](l[0], i))
		}
	}
	assert.Empty(t, l[1].Params)
}

// Two modules may have kernels of one name.
func TestSameNameInTwoModules(t *testing.T) {
	r := newRig(t, plain)
	a := compile(t, `extern "C" __global__ void k(int n) {}`, rtc.ModuleConfig{Name: "a.cu"})
	b := compile(t, `extern "C" __global__ void k(double x, double y) {}`, rtc.ModuleConfig{Name: "b.cu"})
	ka, kb := kernel(t, a, "k", "int n"), kernel(t, b, "k", "double x, double y")
	for range 2 {
		require.NoError(t, ka.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, 7))
		require.NoError(t, kb.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, 1, 2))
	}
	require.NoError(t, a.Close())
	require.NoError(t, kb.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, 1, 2))
	assert.ErrorIs(t, ka.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, 7), rtc.ErrClosed)
	l := r.double.Launches()
	require.Len(t, l, 5)
	assert.Len(t, l[0].Params, 1)
	assert.Len(t, l[4].Params, 2)
}

// forwarder passes an array on without embedding it.
type forwarder struct{ a *rtc.Array }

func (f forwarder) DevicePointer() (uint64, rtc.DType, error) { return f.a.DevicePointer() }

// What an argument of the caller's own points to lives as long as the launch
// that was prepared with it.
func TestForeignPointersAreKept(t *testing.T) {
	r := newRigWith(t, drivertest.Config{}, rtc.OpenConfig{AutoFree: true})
	mod, err := rtc.LoadModule(kernelsCUBIN, rtc.ModuleConfig{})
	require.NoError(t, err)
	defer mod.Close()
	k, err := mod.Kernel("bounded", "int *out")
	require.NoError(t, err)
	x, err := rtc.Zeros[int32](r.dev, 4)
	require.NoError(t, err)
	p, err := k.Prepare(r.dev, rtc.Dim(1), rtc.Dim(1), 0, forwarder{x})
	require.NoError(t, err)
	held := weak.Make(x)
	x = nil
	for range 5 {
		runtime.GC()
		time.Sleep(time.Millisecond)
		require.NoError(t, r.dev.Synchronize(t.Context()))
	}
	assert.Equal(t, 1, r.dev.Driver().Counts().Allocations)
	require.NoError(t, p.Launch())
	require.NotNil(t, held.Value(), "p holds it")
	require.NoError(t, held.Value().Close())
	runtime.KeepAlive(p)
}

type embedder struct{ *rtc.Array }

func TestNilEmbedder(t *testing.T) {
	r := newRig(t, drivertest.Config{})
	mod, err := rtc.LoadModule(kernelsCUBIN, rtc.ModuleConfig{})
	require.NoError(t, err)
	defer mod.Close()
	k, err := mod.Kernel("bounded", "int *out")
	require.NoError(t, err)
	err = k.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, (*embedder)(nil))
	assert.ErrorContains(t, err, "argument 0 (out): the *rtc_test.embedder is nil")
}

// A float and an int have one size, and PTX tells them apart.
func TestNumbersOfOneSize(t *testing.T) {
	mod := compile(t, `extern "C" __global__ void k(float a, int b, double c, long long d, float *e) {}`, rtc.ModuleConfig{})
	_, err := mod.Kernel("k", "float a, int b, double c, long long d, float *e")
	require.NoError(t, err)
	for signature, want := range map[string]string{
		"int a, int b, double c, long long d, float *e":     "argument 0 (a): signature says int, the compiled kernel takes a floating-point number",
		"float a, float b, double c, long long d, float *e": "argument 1 (b): signature says float, the compiled kernel takes an integer or a pointer",
		"float a, int b, double *c, long long d, float *e":  "argument 2 (c)",
	} {
		_, err := mod.Kernel("k", signature)
		assert.ErrorContains(t, err, want)
	}
}
