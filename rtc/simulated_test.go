package rtc_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
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

const endlessPTX = `.version 7.0
.target sm_70
.address_size 64
.visible .entry spin()
{
AGAIN:
	bra AGAIN;
}
`

func endless(t *testing.T) *rtc.Kernel {
	t.Helper()
	mod, err := rtc.LoadModule([]byte(endlessPTX), rtc.ModuleConfig{})
	require.NoError(t, err)
	t.Cleanup(func() { mod.Close() })
	spin, err := mod.Kernel("spin", "")
	require.NoError(t, err)
	return spin
}

// A kernel that never ends, and a program that gives up waiting for it: Close comes back, and says what it ended and where that was.
func TestCloseEndsWhatNobodyWaitsFor(t *testing.T) {
	dev, err := rtc.OpenSimulated()
	require.NoError(t, err)
	x, err := rtc.Ones[float32](dev, 10)
	require.NoError(t, err)
	defer x.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second/4) // by when it runs, also on a busy machine
	defer cancel()
	err = endless(t).LaunchContext(ctx, dev, rtc.Dim(1), rtc.Dim(1), 0)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NoError(t, dev.Health(), "the kernel still runs, as on a GPU")
	closed := make(chan error, 1)
	go func() { closed <- dev.Close() }()
	select {
	case err := <-closed:
		require.ErrorIs(t, err, driver.LaunchTimeout)
		assert.ErrorContains(t, err, "spin")
		assert.ErrorContains(t, err, "PTX line 7")
		assert.ErrorContains(t, err, "was stopped")
	case <-time.After(patience):
		t.Fatal("Close waits for a kernel that never ends")
	}
}

// Of a launch whose blocks each end soon, but are too many, Close says which block was next or where one was.
func TestCloseEndsManyBlocks(t *testing.T) {
	dev, err := rtc.OpenSimulated()
	require.NoError(t, err)
	mod, err := rtc.LoadModule([]byte(strings.Replace(endlessPTX, "bra AGAIN;", "ret;", 1)), rtc.ModuleConfig{})
	require.NoError(t, err)
	defer mod.Close()
	soon, err := mod.Kernel("spin", "")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second/4)
	defer cancel()
	require.ErrorIs(t, soon.LaunchContext(ctx, dev, rtc.Dim(1<<31-1), rtc.Dim(1), 0), context.DeadlineExceeded)
	err = dev.Close()
	require.ErrorIs(t, err, driver.LaunchTimeout)
	assert.Regexp(t, `spin: it was still running and was stopped.*; block \(\d+,0,0\)`, err.Error())
}

// Close does not end what somebody still waits for, or nobody gave up.
func TestCloseWaitsForWork(t *testing.T) {
	dev, err := rtc.OpenSimulated()
	require.NoError(t, err)
	var printed strings.Builder
	counted, err := rtc.OpenSimulatedWith(sim.Config{Output: &printed, Counts: func(kernel string, _ *sim.Counts) { printed.WriteString(kernel) }})
	require.NoError(t, err)
	mod := compile(t, simulatedSource, rtc.ModuleConfig{For: dev})
	axpy, err := mod.Kernel("axpy", "const float *x, float *y, float alpha")
	require.NoError(t, err)
	x, err := rtc.Ones[float32](counted, 1<<16)
	require.NoError(t, err)
	require.NoError(t, axpy.Enqueue(counted.Stream(), rtc.Dim(1<<8), rtc.Dim(1<<8), 0, x, x, 1))
	require.NoError(t, counted.Close())
	assert.Equal(t, "axpy", printed.String())
	require.NoError(t, dev.Close())
}

func TestOpenSimulatedWith(t *testing.T) {
	dev, err := rtc.OpenSimulatedWith(sim.Config{MaxSteps: 10000, Devices: []sim.Device{{Major: 8}}})
	require.NoError(t, err)
	major, _ := dev.ComputeCapability()
	assert.Equal(t, 8, major)
	err = endless(t).Launch(dev, rtc.Dim(1), rtc.Dim(1), 0)
	require.ErrorIs(t, err, driver.LaunchTimeout)
	assert.ErrorContains(t, err, "more than 10000 steps")
	assert.Error(t, dev.Close())

	_, err = rtc.OpenSimulatedWith(sim.Config{Workers: -1})
	assert.ErrorContains(t, err, "rtc: open simulated device: ")
}

// A module is not compiled for a device that is gone.
func TestNewModuleForClosedDevice(t *testing.T) {
	dev, err := rtc.OpenSimulated()
	require.NoError(t, err)
	require.NoError(t, dev.Close())
	_, err = rtc.NewModule(simulatedSource, rtc.ModuleConfig{For: dev, Compiler: compiler(t)})
	require.ErrorIs(t, err, rtc.ErrClosed)
	assert.ErrorContains(t, err, "For: device 0 (simulated sm_90, compute capability 9.0)")
	_, err = rtc.NewModule(simulatedSource, rtc.ModuleConfig{For: &rtc.Device{}, Compiler: compiler(t)})
	assert.ErrorContains(t, err, "the device is nil")
}

// The errors after a fault have the name that the program gave the kernel, not the mangled one alone.
func TestFaultOfSimulatedTemplate(t *testing.T) {
	dev, err := rtc.OpenSimulated()
	require.NoError(t, err)
	defer dev.Close()
	mod := compile(t, "template <class T> __global__ void fill(T *x) { *x = 1; }", rtc.ModuleConfig{For: dev, Exports: []string{"fill<float>"}})
	fill := kernel(t, mod, "fill<float>", "float *x")
	require.Error(t, fill.Launch(dev, rtc.Dim(1), rtc.Dim(1), 0, nil))
	_, err = rtc.Zeros[float32](dev, 1)
	assert.ErrorContains(t, err, "fill<float>")
	assert.ErrorContains(t, err, "null pointer")
	assert.ErrorContains(t, dev.Health(), "fill<float>")
}
