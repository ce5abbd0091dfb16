package rtc_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc"
)

// Each error names the kernel once, and what was wrong has all its data.
func TestNamesStandOnce(t *testing.T) {
	r := newRig(t, drivertest.Config{})
	mod, err := rtc.LoadModule(kernelsCUBIN, rtc.ModuleConfig{Name: "it"})
	require.NoError(t, err)
	defer mod.Close()
	k := kernel(t, mod, "bounded", "int *out")
	one, s := rtc.Dim(1), r.dev.Stream()
	run, err := k.Prepare(r.dev, one, one, 0, nil)
	require.NoError(t, err)
	for want, call := range map[string]func() error{
		"rtc: launch bounded: driver: grid (1, 70000, 1)": func() error { return k.Launch(r.dev, rtc.Dim(1, 70000), one, 0, nil) },
		"rtc: launch bounded: abi: argument 0 (out): ":    func() error { return k.Launch(r.dev, one, one, 0, 7) },
		"rtc: launch bounded: abi: want 1 argument ":      func() error { return k.Launch(r.dev, one, one, 0) },
		"rtc: enqueue bounded: driver: block (2048, ":     func() error { return k.Enqueue(s, one, rtc.Dim(2048), 0, nil) },
		"rtc: prepare bounded: driver: block (2048, ": func() error {
			return second(k.Prepare(r.dev, one, rtc.Dim(2048), 0, nil))
		},
		"rtc: set argument of bounded: abi: argument 0 (out): ": func() error { return run.SetArg(0, 1.5) },
		"rtc: kernel bounded of it: abi: argument 0: ":          func() error { return second(mod.Kernel("bounded", "char")) },
	} {
		err := call()
		require.Error(t, err)
		assert.True(t, strings.HasPrefix(err.Error(), want), "%v, not %s", err, want)
		assert.Equal(t, 1, strings.Count(err.Error(), "bounded"), err)
		var (
			a *abi.ArgumentError
			c *abi.CountError
			l *abi.LayoutError
			d *driver.Error
		)
		switch {
		case errors.As(err, &a):
			assert.Equal(t, "bounded", a.Kernel)
		case errors.As(err, &c):
			assert.Equal(t, "bounded", c.Kernel)
		case errors.As(err, &l):
			assert.Equal(t, "bounded", l.Kernel)
		default:
			require.ErrorAs(t, err, &d)
			assert.Equal(t, "launch bounded", d.Op)
			assert.ErrorIs(t, err, driver.InvalidValue)
		}
	}
}

// Nobody reads a name of 100,000 bytes to its end: errors show both ends of it
// and how long it is. The data of an error have all of it.
func TestLongNamesAreShown(t *testing.T) {
	long := "a" + strings.Repeat("x", 100_000) + "z"
	good := `extern "C" __global__ void f(float a) {}`
	config := func(c rtc.ModuleConfig) rtc.ModuleConfig {
		c.Compiler = compiler(t)
		return c
	}
	r := newRig(t, plain)
	mod := compile(t, good+` extern "C" __global__ void `+long+`(float b) {}`, rtc.ModuleConfig{})
	named := compile(t, good, rtc.ModuleConfig{Name: long})
	for name, call := range map[string]func() error{
		"kernel":           func() error { return second(compile(t, good, rtc.ModuleConfig{}).Kernel(long, "float a")) },
		"kernel of a list": func() error { return second(mod.Kernel("g", "float a")) },
		"program":          func() error { return second(named.Kernel("g", "float a")) },
		"program and file": func() error { return second(rtc.NewModule("#error no", config(rtc.ModuleConfig{Name: long}))) },
		"variable":         func() error { return second(mod.Global(r.dev, long+long, rtc.Float32)) },
		"launch": func() error {
			return kernel(t, mod, long, "float b").Launch(r.dev, rtc.Dim(1), rtc.Dim(5000), 0, 1)
		},
		"argument":  func() error { return kernel(t, mod, long, "float b").Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, "1") },
		"parameter": func() error { return second(mod.Kernel("f", "int "+long)) },
		"type":      func() error { return second(mod.Kernel("f", long)) },
		"signature": func() error { return second(mod.Kernel("f", strings.Repeat("float "+long[:99]+", ", 1000))) },
		"option": func() error {
			return second(rtc.NewModule(good, config(rtc.ModuleConfig{Options: []string{"-" + long}})))
		},
		"export": func() error { return second(rtc.NewModule(good, config(rtc.ModuleConfig{Exports: []string{long}}))) },
		"header": func() error {
			return second(rtc.NewModule("#include \"b/"+long+"\"\n", config(rtc.ModuleConfig{Headers: map[string]string{"c/" + long: ""}})))
		},
		"header's name": func() error {
			return second(rtc.NewModule(good, config(rtc.ModuleConfig{Headers: map[string]string{long + "\x00": ""}})))
		},
		"identifier": func() error {
			return second(rtc.NewModule(good+" __device__ void h() { "+long+"(); }", config(rtc.ModuleConfig{})))
		},
		"image": func() error { return second(rtc.LoadModule(nil, rtc.ModuleConfig{Name: long})) },
	} {
		err := call()
		require.Error(t, err, name)
		assert.Less(t, len(err.Error()), 9000, name)
		assert.Contains(t, err.Error(), " bytes in all)…", name)
		assert.Contains(t, err.Error(), "xxx", name)
	}
	_, err := mod.Kernel("f", long)
	var bad *abi.SignatureError
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, long, bad.Signature)
	assert.Equal(t, long, bad.Param)
	_, err = rtc.NewModule(good, config(rtc.ModuleConfig{Options: []string{"-" + long}}))
	var option *nvrtc.OptionError
	require.ErrorAs(t, err, &option)
	assert.Equal(t, []string{"-" + long}, option.Args)
	assert.Contains(t, fmt.Sprintf("%+v", err), long, "all of it")
}

// A name that one could not see stands in quotes.
func TestInvisibleNames(t *testing.T) {
	mod := compile(t, `extern "C" __global__ void f() {}`, rtc.ModuleConfig{})
	for name, want := range map[string]string{
		"":         `rtc: kernel "" of kernel.cu: `,
		"g ":       `rtc: kernel "g " of kernel.cu: `,
		"g\n":      `rtc: kernel "g\n" of kernel.cu: `,
		"g\u200b":  `rtc: kernel "g\u200b" of kernel.cu: `,
		"g\u00a0h": `rtc: kernel "g\u00a0h" of kernel.cu: `,
		"g<'\"'>":  `rtc: kernel g<'"'> of kernel.cu: `,
		"g<1, 2>":  `rtc: kernel g<1, 2> of kernel.cu: `,
	} {
		_, err := mod.Kernel(name, "")
		assert.ErrorContains(t, err, want)
	}
}
