package driver_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// scaleBody is the kernel scale in Go.
func scaleBody(l drivertest.Launch) driver.Result {
	n := int(drivertest.Arg[uint32](l, 3))
	x := drivertest.Slice[float32](l.Driver, drivertest.Arg[driver.Pointer](l, 0), n)
	y := drivertest.Slice[float32](l.Driver, drivertest.Arg[driver.Pointer](l, 1), n)
	for i := range n {
		y[i] = drivertest.Arg[float32](l, 2) * x[i]
	}
	return driver.Success
}

func bytesOf[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(zero)))
}

func TestLaunchComputes(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	double.Kernel("scale", scaleBody)
	c := open(t, d)
	s, f := stream(t, c), function(t, load(t, c, kernels), "scale")

	const n = 100
	x, err := c.Alloc(4 * n)
	require.NoError(t, err)
	y, err := c.Alloc(4 * n)
	require.NoError(t, err)
	in, out := make([]float32, n), make([]float32, n)
	for i := range in {
		in[i] = float32(i)
	}
	require.NoError(t, s.CopyToDevice(x, bytesOf(in)))
	alpha, count := float32(2.5), uint32(n)
	l, err := f.Prepare(driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(128)},
		[]unsafe.Pointer{unsafe.Pointer(&x), unsafe.Pointer(&y), unsafe.Pointer(&alpha), unsafe.Pointer(&count)})
	require.NoError(t, err)
	require.NoError(t, l.Enqueue(s))
	require.NoError(t, s.CopyToHost(bytesOf(out), y))
	require.NoError(t, s.Synchronize())
	for i := range out {
		require.Equal(t, 2.5*in[i], out[i])
	}
	require.Empty(t, double.Unbound())
}
