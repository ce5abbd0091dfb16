package rtc_test

import (
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
)

// required tells whether PURECUDA_REQUIRE lists what, so that its lack is a
// failure.
func required(what string) bool { return nvrtctest.Required(what) }

// gpu opens the machine's GPU for a test, or skips it.
func gpu(t testing.TB) *rtc.Device {
	t.Helper()
	return gpuWith(t, rtc.OpenConfig{})
}

func gpuWith(t testing.TB, c rtc.OpenConfig) *rtc.Device {
	t.Helper()
	if simulating() {
		c.Driver = simulatedDriver(t)
	}
	dev, err := rtc.OpenWith(c)
	if errors.Is(err, rtc.ErrNoDevice) && !required("gpu") {
		t.Skip("no GPU here: ", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, dev.Close()) })
	return dev
}

// simulating reports whether a simulated device stands for the GPU.
func simulating() bool { return os.Getenv("PURECUDA_DEVICE") == "sim" }

// simulatedDriver is a driver with one simulated device, which nobody else has.
func simulatedDriver(t testing.TB) *driver.Driver {
	t.Helper()
	simulated, err := sim.New(sim.Config{Output: os.Stdout})
	require.NoError(t, err)
	drv, err := driver.Bind(simulated)
	require.NoError(t, err)
	return drv
}

// compiler is the machine's NVRTC, or one that ci/setup got; without either the
// test is skipped.
func compiler(t testing.TB) *nvrtc.Compiler {
	t.Helper()
	if c := machineNVRTC(); c != nil {
		return c
	}
	return nvrtctest.Real(t, dl.Version{})
}

var machineNVRTC = sync.OnceValue(func() *nvrtc.Compiler {
	c, err := nvrtc.Open(nvrtc.Config{})
	if err != nil {
		return nil
	}
	return c
})

// compile makes a module for a test, by compiler.
func compile(t testing.TB, source string, c rtc.ModuleConfig) *rtc.Module {
	t.Helper()
	if c.Compiler == nil && machineNVRTC() == nil {
		c.Compiler = compiler(t)
	}
	mod, err := rtc.NewModule(source, c)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, mod.Close()) })
	return mod
}
