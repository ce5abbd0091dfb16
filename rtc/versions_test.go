package rtc_test

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
)

// What a real NVRTC made of testdata/kernels.cu: the doubles compile nothing.
var (
	//go:embed testdata/kernels.ptx
	kernelsPTX string
	//go:embed testdata/kernels.cubin
	kernelsCUBIN []byte
)

const kernelsSource = "// testdata/kernels.cu"

// TestKernelsData makes the two files anew with PURECUDA_UPDATE set.
func TestKernelsData(t *testing.T) {
	if os.Getenv("PURECUDA_UPDATE") == "" {
		t.Skip("PURECUDA_UPDATE is not set")
	}
	source, err := os.ReadFile("testdata/kernels.cu")
	require.NoError(t, err)
	mod := compile(t, string(source), rtc.ModuleConfig{
		Compiler: nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4}), Name: "kernels.cu", Options: []string{"-arch=sm_90"},
		Exports: []string{"twice<float>", "twice<double>", "&ns::counter"}})
	require.NoError(t, os.WriteFile("testdata/kernels.ptx", []byte(mod.PTX()), 0o644))
	require.NoError(t, os.WriteFile("testdata/kernels.cubin", mod.CUBIN(), 0o644))
}

var lowered = map[string]string{
	"twice<float>": "_Z5twiceIfEvPKT_PS0_", "twice<double>": "_Z5twiceIdEvPKT_PS0_", "&ns::counter": "_ZN2ns7counterE",
}

// ptxOf is the newest version of PTX that a version of CUDA makes.
func ptxOf(v dl.Version) string {
	switch {
	case v.Major < 8:
		return fmt.Sprintf("4.%d", 2+v.Minor/5)
	case v.Major == 8:
		return fmt.Sprintf("5.%d", v.Minor/9)
	case v.Major == 9:
		return fmt.Sprintf("6.%d", v.Minor)
	case v.Major == 10:
		return fmt.Sprintf("6.%d", 3+v.Minor)
	}
	return fmt.Sprintf("%d.%d", v.Major-4, v.Minor)
}

// playNVRTC is a compiler that plays a version, and whose compiles end with the
// kernels of testdata for the architecture that was asked for.
func playNVRTC(t testing.TB, c nvrtctest.Config) (*nvrtctest.NVRTC, *nvrtc.Compiler) {
	t.Helper()
	if c.Compile == nil {
		c.Compile = makeKernels
	}
	fake := nvrtctest.New(c)
	comp, err := nvrtc.Bind(fake)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, comp.Close())
		fake.Check(t)
	})
	return fake, comp
}

func makeKernels(c *nvrtctest.Compile) {
	c.Default()
	arch, ok := nvrtc.ParseOptions(c.Options).Arch()
	if c.Result != nvrtc.Success || !ok {
		return
	}
	for export := range c.Lowered {
		c.Lowered[export] = lowered[export]
	}
	if c.PTX != "" {
		c.PTX = strings.Replace(kernelsPTX, ".version 8.4", ".version "+ptxOf(c.Version), 1)
		c.PTX = strings.Replace(c.PTX, ".target sm_90", fmt.Sprintf(".target sm_%d%s", arch.Number(), arch.Suffix), 1)
	}
	if c.CUBIN != nil {
		c.CUBIN = kernelsCUBIN
	}
}

func version(s string) (v dl.Version) {
	_, _ = fmt.Sscanf(s, "%d.%d", &v.Major, &v.Minor)
	return v
}

// TestVersions is the whole way, from source to result, on compilers and
// drivers of many years: what each can do is used, and what it can't do is
// refused with what is needed and what is there.
func TestVersions(t *testing.T) {
	for _, c := range []struct {
		nvrtc, driver string
		device        int
		target        string // what is compiled for
		cubin         bool   // what is loaded is machine code
		load          string // the refusal to load, if there is one
	}{
		{nvrtc: "7.0", driver: "8.0", device: 52, target: "compute_52"},
		{nvrtc: "7.5", driver: "8.0", device: 60, target: "compute_53"},
		{nvrtc: "8.0", driver: "8.0", device: 61, target: "compute_61"},
		{nvrtc: "10.2", driver: "10.2", device: 75, target: "compute_75"},
		{nvrtc: "11.0", driver: "11.0", device: 80, target: "compute_80"},
		{nvrtc: "11.1", driver: "11.1", device: 80, target: "sm_80", cubin: true},
		{nvrtc: "12.0", driver: "12.4", device: 90, target: "sm_90", cubin: true},
		{nvrtc: "12.8", driver: "12.8", device: 120, target: "sm_120", cubin: true},
		{nvrtc: "13.3", driver: "13.3", device: 90, target: "sm_90", cubin: true},
		// The device is newer than the compiler: PTX, which the driver compiles.
		{nvrtc: "8.0", driver: "13.3", device: 90, target: "compute_62"},
		{nvrtc: "11.1", driver: "12.4", device: 90, target: "compute_86"},
		// The compiler is newer than the driver: machine code needs no new one.
		{nvrtc: "12.8", driver: "12.0", device: 90, target: "sm_90", cubin: true},
		{nvrtc: "11.0", driver: "10.2", device: 75, target: "compute_75",
			load: "the image is PTX 7.0, of CUDA 11.0; this driver takes the PTX of CUDA 10.2 and older"},
	} {
		t.Run(fmt.Sprintf("nvrtc %s, driver %s, sm_%d", c.nvrtc, c.driver, c.device), func(t *testing.T) {
			r := newRig(t, drivertest.Config{Version: version(c.driver), Devices: []drivertest.Device{{Major: c.device / 10, Minor: c.device % 10}}})
			_, comp := playNVRTC(t, nvrtctest.Config{Version: version(c.nvrtc)})
			config := rtc.ModuleConfig{Compiler: comp, For: r.dev, Exports: []string{"twice<float>"}}
			mod, err := rtc.NewModule(kernelsSource, config)
			if !version(c.nvrtc).AtLeast(8, 0) {
				var u *dl.UnsupportedError
				require.ErrorAs(t, err, &u)
				assert.Equal(t, dl.Version{Major: 8}, u.Since)
				assert.Equal(t, version(c.nvrtc), u.Have)
				assert.ErrorContains(t, err, `extern "C"`, "what to do instead")
				config.Exports = nil
				mod, err = rtc.NewModule(kernelsSource, config)
			}
			require.NoError(t, err)
			defer mod.Close()
			assert.Equal(t, c.target, mod.Target())
			assert.Equal(t, c.cubin, mod.CUBIN() != nil)
			assert.NotEmpty(t, mod.PTX(), "there is PTX beside machine code")

			axpy := kernel(t, mod, "axpy", axpySignature)
			x, y := array(t, r.dev, float32(1), 2), array(t, r.dev, float32(1), 1)
			err = axpy.Launch(r.dev, rtc.Dim(1), rtc.Dim(2), 0, x, y, 2, 2)
			if c.load != "" {
				assert.ErrorIs(t, err, driver.UnsupportedPTXVersion)
				assert.ErrorContains(t, err, c.load)
				return
			}
			require.NoError(t, err)
			l := r.double.Launches()
			require.Len(t, l, 1)
			assert.Equal(t, "axpy", l[0].Function)
			assert.Equal(t, float32(2), drivertest.Arg[float32](l[0], 2))
			assert.Equal(t, int32(2), drivertest.Arg[int32](l[0], 3))
			assert.Equal(t, rtc.Stats{Compiles: 1, Loads: 1}, mod.Stats())
			assert.Equal(t, []float32{1, 2}, slice[float32](t, x))

			if config.Exports != nil {
				twice, err := mod.Kernel("twice<float>") // the name tells the signature
				require.NoError(t, err)
				assert.Equal(t, "const float *, float *", twice.Signature().String())
				require.NoError(t, twice.Launch(r.dev, rtc.Dim(1), rtc.Dim(2), 0, x, y))
				assert.Equal(t, lowered["twice<float>"], r.double.Launches()[1].Function)
			}

			// What older drivers lack is refused by name and version.
			for _, o := range []struct {
				options rtc.LaunchOptions
				since   string
			}{
				{rtc.LaunchOptions{Cooperative: true}, "9.0"},
				{rtc.LaunchOptions{Priority: -1}, "11.8"},
			} {
				err := axpy.With(o.options).Launch(r.dev, rtc.Dim(1), rtc.Dim(2), 0, x, y, 2, 2)
				if version(c.driver).Compare(version(o.since)) >= 0 {
					assert.NoError(t, err)
					continue
				}
				require.Error(t, err)
				assert.ErrorContains(t, err, "axpy")
				if u := new(dl.UnsupportedError); errors.As(err, &u) {
					assert.Equal(t, version(o.since), u.Since)
					assert.Equal(t, version(c.driver), u.Have)
				} else { // the device's attribute says it before the driver's functions do
					assert.ErrorIs(t, err, driver.NotSupported)
				}
			}
		})
	}
}

// TestArchByVersion has the user ask for architectures.
func TestArchByVersion(t *testing.T) {
	for _, c := range []struct {
		nvrtc   string
		options []string
		target  string
		refuse  []string
	}{
		{nvrtc: "12.4", options: []string{"-arch=sm_80"}, target: "sm_80"},
		{nvrtc: "12.4", options: []string{"-G", "-arch", "sm_80"}, target: "sm_80"},
		{nvrtc: "12.4", options: []string{"--gpu-architecture", "compute_80"}, target: "compute_80"},
		{nvrtc: "12.4", options: []string{"  -arch=sm_90a "}, target: "sm_90a"},
		{nvrtc: "12.8", options: []string{"-arch=compute_100f"}, target: "compute_100f"},
		{nvrtc: "11.0", options: []string{"-arch=compute_80"}, target: "compute_80"},
		{nvrtc: "11.0", options: []string{"-arch", " sm_80"}, refuse: []string{"options[0], sm_80", "compute_80", "needs CUDA 11.1", "is 11.0"}},
		{nvrtc: "7.5", options: []string{"-G", "--gpu-architecture=sm_52"}, refuse: []string{"options[1], sm_52", "compute_52", "needs CUDA 11.1", "is 7.5"}},
		{nvrtc: "12.4", options: []string{"-arch=sm_80", "-arch=sm_90"}, refuse: []string{"defined more than once"}},
		{nvrtc: "12.4", options: []string{"-arch=sm86"}, refuse: []string{`"-arch=sm86"`, "invalid value"}},
		{nvrtc: "12.4", options: []string{"-arch=sm_120"}, refuse: []string{`"-arch=sm_120"`, "invalid value"}},
		{nvrtc: "12.4", options: []string{"-lineinfo", "-arch"}, refuse: []string{`options[1], "-arch", has no value`}},
		{nvrtc: "12.4", options: []string{"-O3"}, refuse: []string{`options[0] "-O3"`}},
		{nvrtc: "12.4", options: []string{"-arch=sm_90", "-dlto"}, refuse: []string{"nothing that a device can load"}},
		{nvrtc: "12.4", options: []string{"-dlto"}, refuse: []string{"nothing that a device can load"}},
	} {
		t.Run(c.nvrtc+" "+strings.Join(c.options, " "), func(t *testing.T) {
			fake, comp := playNVRTC(t, nvrtctest.Config{Version: version(c.nvrtc)})
			mod, err := rtc.NewModule(kernelsSource, rtc.ModuleConfig{Compiler: comp, Options: c.options})
			if c.refuse != nil {
				require.Error(t, err)
				for _, w := range c.refuse {
					assert.ErrorContains(t, err, w)
				}
				return
			}
			require.NoError(t, err)
			defer mod.Close()
			assert.Equal(t, c.target, mod.Target())
			assert.Equal(t, strings.HasPrefix(c.target, "sm_"), mod.CUBIN() != nil)
			got := fake.Compiles()[0].Options
			assert.Equal(t, c.options, got[:len(c.options)], "the user's, as they are, in front")
			assert.Equal(t, 1, strings.Count(strings.Join(got, " "), "arch"), got)
		})
	}
}

// TestOtherDevice: a module is compiled once for each architecture, when it is
// first wanted there, and loaded once on each device; the user's architecture
// is for all of them.
func TestOtherDevice(t *testing.T) {
	r := newRig(t, drivertest.Config{Devices: []drivertest.Device{{Major: 9}, {Major: 8}, {Major: 9}}})
	fake, comp := playNVRTC(t, nvrtctest.Config{Version: version("12.4")})
	options, exports, headers := []string{"-DN=1"}, []string{"twice<float>"}, map[string]string{"n.h": "1"}
	mod, err := rtc.NewModule(kernelsSource, rtc.ModuleConfig{Compiler: comp, For: r.dev, Options: options, Exports: exports, Headers: headers})
	require.NoError(t, err)
	defer mod.Close()
	options[0], exports[0], headers["n.h"] = "-DN=2", "twice<double>", "2" // the caller's business
	twice, err := mod.Kernel("twice<float>")
	require.NoError(t, err)
	for range 2 {
		for _, dev := range r.devs {
			x, y := array(t, dev, float32(1)), array(t, dev, float32(1))
			require.NoError(t, twice.Launch(dev, rtc.Dim(1), rtc.Dim(1), 0, x, y))
		}
	}
	assert.Equal(t, rtc.Stats{Compiles: 2, Loads: 3}, mod.Stats())
	compiles := fake.Compiles()
	require.Equal(t, 2, len(compiles))
	assert.Contains(t, compiles[0].Options, "--gpu-architecture=sm_90")
	assert.Contains(t, compiles[1].Options, "--gpu-architecture=sm_80")
	for _, c := range compiles {
		assert.Equal(t, "-DN=1", c.Options[0])
		assert.Equal(t, []string{"twice<float>"}, c.Exports)
		assert.Equal(t, map[string]string{"n.h": "1"}, c.Headers)
	}

	own, err := rtc.NewModule(kernelsSource, rtc.ModuleConfig{Compiler: comp, Options: []string{"-arch=sm_80"}})
	require.NoError(t, err)
	defer own.Close()
	for _, dev := range r.devs {
		require.NoError(t, own.Preload(t.Context(), dev))
	}
	assert.Equal(t, rtc.Stats{Compiles: 1, Loads: 3}, own.Stats())

	// Too new for the device, as machine code and as PTX.
	newer, err := rtc.NewModule(kernelsSource, rtc.ModuleConfig{Compiler: comp, Options: []string{"-arch=sm_90"}})
	require.NoError(t, err)
	defer newer.Close()
	err = newer.Preload(t.Context(), r.devs[1])
	assert.ErrorIs(t, err, driver.NoBinaryForGPU)
	assert.ErrorContains(t, err, "rtc: preload kernel.cu: load kernel.cu (sm_90) on device 1: ")
	require.NoError(t, newer.Preload(t.Context(), r.dev))
}

// TestCancelByVersion: from 12.8 a context that ends stops the compiler; before,
// it ends the wait.
func TestCancelByVersion(t *testing.T) {
	for _, v := range []string{"8.0", "12.4", "12.8", "13.3"} {
		t.Run(v, func(t *testing.T) {
			begun, free := make(chan struct{}), make(chan struct{})
			fake, comp := playNVRTC(t, nvrtctest.Config{Version: version(v), Compile: func(c *nvrtctest.Compile) {
				close(begun)
				if c.Wait(free) {
					c.Default()
				}
			}})
			boom := errors.New("boom")
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				<-begun
				cancel(boom)
			}()
			mod, err := rtc.NewModuleContext(ctx, kernelsSource, rtc.ModuleConfig{Compiler: comp})
			assert.Nil(t, mod)
			assert.ErrorIs(t, err, context.Canceled)
			assert.ErrorIs(t, err, boom)
			stops := comp.Features().Cancel
			assert.Equal(t, version(v).AtLeast(12, 8), stops)
			if !stops {
				assert.Equal(t, 1, fake.Running(), "it goes on")
				close(free)
			}
			waitFor(t, func() bool { return fake.Running() == 0 && fake.Live() == 0 && comp.Busy() == 0 })
			assert.Equal(t, stops, fake.Compiles()[0].Result == nvrtc.Cancelled)

			_, err = rtc.NewModuleContext(ctx, kernelsSource, rtc.ModuleConfig{Compiler: comp})
			assert.ErrorIs(t, err, context.Canceled)
			assert.Equal(t, 1, len(fake.Compiles()), "nothing is begun for a context that has ended")
		})
	}
}
