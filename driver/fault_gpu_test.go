package driver_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
)

// faults are the kernels that take the GPU from the process, and how.
var faults = map[string]driver.Result{
	"illegal":    driver.IllegalAddress,
	"trapped":    driver.LaunchFailed, // or IllegalInstruction: it depends on the driver
	"misaligned": driver.MisalignedAddress,
	"asserted":   driver.Assert,
}

func TestGPUFaults(t *testing.T) {
	gpu(t)
	for kernel := range faults {
		t.Run(kernel, func(t *testing.T) {
			out := child(t, "TestFaultChild", kernel)
			require.Contains(t, out, "FAULT SEEN")
			for _, line := range strings.Split(out, "\n") {
				if strings.HasPrefix(line, "ERROR") {
					t.Log(line)
				}
			}
		})
	}
}

// TestFaultChild makes a fault and sees that everything says so, nothing hangs
// and nothing panics.
func TestFaultChild(t *testing.T) {
	kernel := childWord(t)
	d, err := gpuDriver()
	require.NoError(t, err)
	dev, err := d.Device(0)
	require.NoError(t, err)
	c, err := dev.Primary()
	require.NoError(t, err)
	s, m := stream(t, c), load(t, c, gpuKernels)
	p := alloc(t, c, 64)
	e, err := c.NewEvent(driver.EventConfig{})
	require.NoError(t, err)
	config := driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}

	// One that has ended must not be named.
	require.NoError(t, prepare(t, function(t, m, "count"), config, ptr(&p)).Enqueue(s))
	require.NoError(t, s.Synchronize())
	var params []unsafe.Pointer
	if kernel == "misaligned" {
		params = args(ptr(&p))
	}
	l := prepare(t, function(t, m, kernel), config, params...)
	require.NoError(t, l.Enqueue(s))
	first := s.Synchronize()
	require.Error(t, first)
	fmt.Println("ERROR", first)
	if kernel != "trapped" {
		require.ErrorIs(t, first, faults[kernel])
	}
	named := "kernel " + kernel
	if d.Simulated() { // which knows, and says so at once
		named = ": " + kernel + ": "
	}
	require.ErrorContains(t, first, named)
	require.NotContains(t, first.Error(), "count")
	var fault *driver.Error
	require.ErrorAs(t, first, &fault)
	require.True(t, fault.Fatal())

	begun := time.Now()
	for name, call := range map[string]func() error{
		"enqueue":      func() error { return l.Enqueue(s) },
		"alloc":        func() error { _, err := c.Alloc(64); return err },
		"free":         func() error { return c.Free(p) },
		"load":         func() error { _, err := c.LoadModule([]byte(gpuKernels), driver.LoadConfig{}); return err },
		"record":       func() error { return s.Record(e) },
		"synchronize":  s.Synchronize,
		"new context":  func() error { _, err := dev.NewContext(driver.ContextConfig{}); return err },
		"health":       c.Health,
		"copy to host": func() error { return s.CopyToHost(make([]byte, 64), p) },
	} {
		err := call()
		require.Error(t, err, name)
		require.ErrorContains(t, err, named, name)
		var e *driver.Error
		require.True(t, errors.As(err, &e) && e.Fatal(), name)
	}
	require.NoError(t, m.Close())
	require.NoError(t, c.Close())
	require.NoError(t, c.Close())
	require.Equal(t, driver.Counts{}, d.Counts())
	require.Less(t, time.Since(begun), 30*time.Second)
	fmt.Println("FAULT SEEN")
}
