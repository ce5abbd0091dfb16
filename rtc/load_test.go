package rtc_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
)

// TestLoadedOnceByMany: of all who want a module on a device at once, one
// compiles it and loads it.
func TestLoadedOnceByMany(t *testing.T) {
	r := newRig(t, drivertest.Config{Devices: []drivertest.Device{{Major: 9}, {Major: 8}}})
	fake, comp := playNVRTC(t, nvrtctest.Config{Version: version("12.4"), Compile: func(c *nvrtctest.Compile) {
		time.Sleep(10 * time.Millisecond)
		makeKernels(c)
	}})
	mod, err := rtc.NewModule(kernelsSource, rtc.ModuleConfig{Compiler: comp, For: r.dev})
	require.NoError(t, err)
	defer mod.Close()
	none := kernel(t, mod, "none", "")
	r.double.Delay("cuModuleLoadDataEx", 5*time.Millisecond)
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			assert.NoError(t, none.Launch(r.devs[i%2], rtc.Dim(1), rtc.Dim(1), 0))
		})
	}
	wg.Wait()
	assert.Equal(t, 2, len(fake.Compiles()))
	assert.Equal(t, 2, r.double.Called("cuModuleLoadDataEx"))
	assert.Equal(t, uint64(2), mod.Stats().Loads)
}

// TestLoadContext: whose context ends stops waiting for the compile and the
// load; another who waits for the same takes over.
func TestLoadContext(t *testing.T) {
	r := newRig(t, drivertest.Config{Devices: []drivertest.Device{{Major: 9}, {Major: 8}}})
	begun, free := make(chan struct{}, 10), make(chan struct{})
	held := false
	fake, comp := playNVRTC(t, nvrtctest.Config{Version: version("12.8"), Compile: func(c *nvrtctest.Compile) {
		if held {
			begun <- struct{}{}
			if !c.Wait(free) {
				return
			}
		}
		makeKernels(c)
	}})
	mod, err := rtc.NewModule(kernelsSource, rtc.ModuleConfig{Compiler: comp, For: r.dev})
	require.NoError(t, err)
	defer mod.Close()
	none := kernel(t, mod, "none", "")
	held = true
	one := rtc.Dim(1)
	ctx, cancel := context.WithCancel(t.Context())
	errs, others := make(chan error), make(chan error)
	go func() { errs <- none.LaunchContext(ctx, r.devs[1], one, one, 0) }()
	<-begun
	waiting, stop := context.WithCancel(t.Context())
	go func() { errs <- mod.Preload(waiting, r.devs[1]) }()
	go func() { others <- none.Launch(r.devs[1], one, one, 0) }()
	time.Sleep(5 * time.Millisecond)
	stop()
	err = <-errs
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, "rtc: preload kernel.cu: ")
	cancel()
	assert.ErrorIs(t, <-errs, context.Canceled)
	<-begun // the other has taken over
	close(free)
	assert.NoError(t, <-others)
	waitFor(t, func() bool { return len(fake.Compiles()) == 3 })
	assert.Equal(t, rtc.Stats{Compiles: 2, Loads: 1}, mod.Stats())
}

// A failure on one device is not kept, and not taken for another's.
func TestCompileFailsOnce(t *testing.T) {
	r := newRig(t, drivertest.Config{Devices: []drivertest.Device{{Major: 9}, {Major: 8}}})
	n := 0
	_, comp := playNVRTC(t, nvrtctest.Config{Version: version("12.4"), Compile: func(c *nvrtctest.Compile) {
		if n++; n == 2 {
			c.Result, c.Log = nvrtc.Compilation, "kernel.cu(1): error: out of luck\n"
			return
		}
		makeKernels(c)
	}})
	mod, err := rtc.NewModule(kernelsSource, rtc.ModuleConfig{Compiler: comp, For: r.dev})
	require.NoError(t, err)
	defer mod.Close()
	err = mod.Preload(t.Context(), r.devs[1])
	var e *nvrtc.CompileError
	require.ErrorAs(t, err, &e)
	assert.ErrorContains(t, err, "kernel.cu(1): error: out of luck")
	require.NoError(t, mod.Preload(t.Context(), r.devs[1]))
	require.NoError(t, mod.Preload(t.Context(), r.dev))
}

// B56: nothing can be loaded while a stream is captured; the error says what to
// do, and Preload is the way.
func TestPreloadBeforeCapture(t *testing.T) {
	r := newRig(t, plain)
	mod, late := kernels(t), kernels(t)
	none := kernel(t, mod, "none", "")
	require.NoError(t, mod.Preload(t.Context(), r.dev))
	raw := r.dev.Stream().Raw()
	require.NoError(t, raw.BeginCapture())
	require.NoError(t, none.Enqueue(r.dev.Stream(), rtc.Dim(1), rtc.Dim(1), 0))
	err := kernel(t, late, "none", "").Enqueue(r.dev.Stream(), rtc.Dim(1), rtc.Dim(1), 0)
	assert.ErrorIs(t, err, driver.StreamCaptureUnsupported)
	assert.ErrorContains(t, err, "load modules, allocate memory and wait before the capture begins")
	g, err := raw.EndCapture()
	require.NoError(t, err)
	require.NoError(t, g.Close())
	assert.NoError(t, late.Preload(t.Context(), r.dev), "the failure was not kept")
}
