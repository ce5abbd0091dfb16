package rtc_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/rtc"
)

// TestStickyFault: a kernel's fault is for ever. Whatever finds it first, its
// cause is kept, and each later call names it; nothing hangs or panics.
func TestStickyFault(t *testing.T) {
	for _, code := range []driver.Result{driver.IllegalAddress, driver.Assert, driver.LaunchFailed, driver.MisalignedAddress} {
		for _, finder := range []string{"Launch", "LaunchContext", "ToSlice", "Synchronize", "Prepared", "CopyFromSlice", "array", "module", "scope", "next launch"} {
			t.Run(fmt.Sprintf("%d by %s", code, finder), func(t *testing.T) { testFault(t, code, finder) })
		}
	}
}

func testFault(t *testing.T, code driver.Result, finder string) {
	r := newRig(t, plain)
	r.double.Kernel("bounded", func(drivertest.Launch) driver.Result { return code })
	mod := kernels(t)
	none, bad := kernel(t, mod, "none", ""), kernel(t, mod, "bounded", "int *out")
	one := rtc.Dim(1)
	out, err := rtc.Zeros[int32](r.dev, 1)
	require.NoError(t, err)
	other, err := rtc.Zeros[int32](r.dev, 1)
	require.NoError(t, err)
	run, err := bad.Prepare(r.dev, one, one, 0, out)
	require.NoError(t, err)
	require.NoError(t, none.Launch(r.dev, one, one, 0), "which is over and not to be named")
	require.NoError(t, r.dev.Health())
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()

	enqueue := func() { require.NoError(t, bad.Enqueue(r.dev.Stream(), one, one, 0, out)) }
	var first error
	switch finder {
	case "Launch":
		first = bad.Launch(r.dev, one, one, 0, out)
	case "LaunchContext":
		first = bad.LaunchContext(ctx, r.dev, one, one, 0, out)
	case "Prepared":
		first = run.Launch()
	case "ToSlice":
		enqueue()
		first = second(rtc.ToSlice[int32](out))
	case "CopyFromSlice":
		enqueue()
		first = rtc.CopyFromSlice(other, []int32{1})
	case "Synchronize":
		enqueue()
		first = r.dev.Synchronize(ctx)
	case "array":
		enqueue()
		first = out.Close()
	case "module":
		enqueue()
		first = mod.Close()
	case "scope":
		first = r.dev.Scope(func(s *rtc.Scope) error {
			for range 3 {
				if err := second(rtc.Zeros[int8](s, 1)); err != nil {
					return err
				}
			}
			enqueue()
			return nil
		})
	case "next launch":
		enqueue()
		first = none.Launch(r.dev, one, one, 0)
	}
	check := func(err error) {
		t.Helper()
		var e *driver.Error
		require.ErrorAs(t, err, &e)
		assert.ErrorIs(t, err, code)
		assert.True(t, e.Fatal())
		require.NotNil(t, e.Fault)
		assert.Equal(t, code, e.Fault.Result)
		assert.Equal(t, []string{"bounded"}, e.Fault.Running)
		assert.ErrorContains(t, err, "kernel bounded")
		assert.Equal(t, 1, strings.Count(err.Error(), "the process has lost the GPU"), "said once: %v", err)
	}
	check(first)
	check(r.dev.Health())
	for name, err := range map[string]error{
		"Launch":      none.Launch(r.dev, one, one, 0),
		"context":     none.LaunchContext(ctx, r.dev, one, one, 0),
		"Enqueue":     bad.Enqueue(r.dev.Stream(), one, one, 0, out),
		"Prepared":    run.Launch(),
		"Prepared Q":  run.Enqueue(r.dev.Stream()),
		"Prepare":     second(none.Prepare(r.dev, one, one, 0)),
		"Zeros":       second(rtc.Zeros[int32](r.dev, 1)),
		"FromSlice":   second(rtc.FromSlice(r.dev, []int32{1})),
		"Copy":        rtc.CopyFromSlice(other, []int32{1}),
		"ToSlice":     second(rtc.ToSlice[int32](other)),
		"ToSlice ctx": second(rtc.ToSliceContext[int32](ctx, other)),
		"Synchronize": r.dev.Synchronize(ctx),
		"Scope":       r.dev.Scope(func(*rtc.Scope) error { return nil }),
		"Open":        second(rtc.OpenWith(rtc.OpenConfig{Driver: r.drv})),
		"options":     second(rtc.CompileOptions(r.dev)),
	} {
		if !errors.Is(err, rtc.ErrClosed) || finder != "array" && finder != "module" { // those that the finder closed say so
			assert.Error(t, err, name)
			check(err)
		}
	}
	for _, c := range []interface{ Close() error }{other, out, mod} {
		assert.NoError(t, c.Close(), "nothing can be given back, and it was said")
	}
	err = r.dev.Close()
	check(err)
	assert.ErrorContains(t, err, "rtc: close device 0: ")
	assert.NoError(t, r.dev.Close(), "once is enough")
}

// The fault of one launch out of several that were not waited for can't be
// told from the others.
func TestFaultAmongSeveral(t *testing.T) {
	r := newRig(t, plain)
	r.double.Kernel("bounded", func(drivertest.Launch) driver.Result { return driver.IllegalAddress })
	mod := kernels(t)
	none, bad := kernel(t, mod, "none", ""), kernel(t, mod, "bounded", "int *out")
	axpy := kernel(t, mod, "axpy", axpySignature)
	x := array(t, r.dev, float32(1))
	one := rtc.Dim(1)
	require.NoError(t, axpy.Launch(r.dev, one, one, 0, x, x, 1, 1))
	r.double.Hold()
	require.NoError(t, none.Enqueue(r.dev.Stream(), one, one, 0))
	require.NoError(t, bad.Enqueue(r.dev.Stream(), one, one, 0, nil))
	r.double.Release()
	err := r.dev.Synchronize(t.Context())
	assert.ErrorContains(t, err, "while one of these kernels was running: none, bounded")
	assert.NotContains(t, err.Error(), "axpy")
}

// A fault while many wait, by their own context or without: all hear of it.
func TestFaultWhileManyWait(t *testing.T) {
	r := newRig(t, plain)
	mod := kernels(t)
	none := kernel(t, mod, "none", "")
	one := rtc.Dim(1)
	require.NoError(t, none.Launch(r.dev, one, one, 0))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r.double.Hold()
	errs := make(chan error)
	const n = 32
	for i := range n {
		go func() {
			switch i % 4 {
			case 0:
				errs <- none.Launch(r.dev, one, one, 0)
			case 1:
				errs <- none.LaunchContext(ctx, r.dev, one, one, 0)
			case 2:
				errs <- r.dev.Synchronize(ctx)
			case 3:
				errs <- r.dev.Synchronize(context.Background())
			}
		}()
	}
	waitFor(t, func() bool { return r.double.Called("cuLaunchKernelEx") == 1+n/2 })
	time.Sleep(5 * time.Millisecond)
	r.double.Break(driver.IllegalAddress)
	r.double.Release()
	for range n {
		assert.ErrorIs(t, <-errs, driver.IllegalAddress)
	}
	assert.ErrorIs(t, r.dev.Close(), driver.IllegalAddress)
}
