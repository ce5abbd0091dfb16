package rtc_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc"
)

const simulatedSource = `extern "C" __global__ void axpy(const float *x, float *y, float alpha) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    y[i] += alpha * x[i];
}`

func simulated(t testing.TB) *rtc.Device {
	t.Helper()
	dev, err := rtc.OpenSimulated()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, dev.Close()) })
	return dev
}

func TestSimulated(t *testing.T) {
	dev := simulated(t)
	assert.True(t, dev.Simulated())
	assert.Contains(t, dev.String(), "simulated")
	mod := compile(t, simulatedSource, rtc.ModuleConfig{For: dev})
	assert.Nil(t, mod.CUBIN(), "it runs PTX")
	axpy, err := mod.Kernel("axpy", "const float *x, float *y, float alpha")
	require.NoError(t, err)
	x, err := rtc.Ones[float32](dev, 10)
	require.NoError(t, err)
	y, err := rtc.Zeros[float32](dev, 10)
	require.NoError(t, err)
	require.NoError(t, axpy.Launch(dev, rtc.Dim(1), rtc.Dim(10), 0, x, y, 3.0))
	out, err := rtc.ToSlice[float32](y)
	require.NoError(t, err)
	assert.Equal(t, []float32{3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, out)

	// What a GPU leaves to luck: one thread too many.
	err = axpy.Launch(dev, rtc.Dim(1), rtc.Dim(11), 0, x, y, 3.0)
	require.ErrorContains(t, err, "axpy")
	assert.ErrorContains(t, err, "thread (10,0,0)")
	assert.Error(t, dev.Health())
	dev.Close()
}

// A module for a GPU has PTX beside its machine code, which is what a simulated device takes of it; machine code alone is refused.
func TestSimulatedTakesPTX(t *testing.T) {
	if !compiler(t).Features().CUBIN {
		require.False(t, required("nvrtc"), "this NVRTC makes no machine code")
		t.Skip("this NVRTC makes no machine code")
	}
	dev := simulated(t)
	mod := compile(t, simulatedSource, rtc.ModuleConfig{Options: []string{"-arch=sm_80"}})
	require.NotEmpty(t, mod.CUBIN())
	require.NoError(t, mod.Preload(t.Context(), dev))

	bare, err := rtc.LoadModule(mod.CUBIN(), rtc.ModuleConfig{Name: "bare.cubin"})
	require.NoError(t, err)
	defer bare.Close()
	err = bare.Preload(t.Context(), dev)
	require.ErrorContains(t, err, "bare.cubin")
	assert.ErrorContains(t, err, "PTX")

	loaded, err := rtc.LoadModule([]byte(mod.PTX()), rtc.ModuleConfig{})
	require.NoError(t, err)
	defer loaded.Close()
	require.NoError(t, loaded.Preload(t.Context(), dev))
}

func TestCompileOptionsOfSimulated(t *testing.T) {
	if machineNVRTC() == nil {
		require.False(t, required("nvrtc"), "no NVRTC of the machine's own")
		t.Skip("no NVRTC of the machine's own")
	}
	options, err := rtc.CompileOptions(simulated(t))
	require.NoError(t, err)
	require.Len(t, options, 1)
	arch, ok := nvrtc.ParseOptions(options).Arch()
	require.True(t, ok)
	assert.Equal(t, nvrtc.VirtualArch, arch.Kind)
}

func TestOpenAny(t *testing.T) {
	t.Setenv("PURECUDA_DEVICE", "sim")
	dev, err := rtc.OpenAny()
	require.NoError(t, err)
	assert.True(t, dev.Simulated())
	require.NoError(t, dev.Close())

	t.Setenv("PURECUDA_DEVICE", "")
	dev, err = rtc.OpenAny()
	require.NoError(t, err)
	_, none := rtc.Open(0)
	assert.Equal(t, none != nil, dev.Simulated())
	require.NoError(t, dev.Close())

	for _, bad := range []string{"gpu", "cuda", "cuda:", "cuda:-1", "cuda:x", "SIM", "0"} {
		t.Setenv("PURECUDA_DEVICE", bad)
		_, err := rtc.OpenAny()
		assert.ErrorContains(t, err, "PURECUDA_DEVICE is \""+bad+"\"")
	}
	t.Setenv("PURECUDA_DEVICE", "cuda:99")
	_, err = rtc.OpenAny()
	assert.ErrorContains(t, err, "device 99", "it is not replaced by a simulated one")
}
