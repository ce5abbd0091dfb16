package rtc_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/rtc"
)

func TestArrays(t *testing.T) {
	r := newRig(t, drivertest.Config{})
	for _, c := range []struct {
		dtype rtc.DType
		shape []int
		want  string
	}{
		{rtc.Float32, []int{3, -1}, "axis 1 of shape [3 -1] is negative"},
		{rtc.Float32, []int{math.MinInt}, "axis 0 of shape [-9223372036854775808] is negative"},
		{rtc.Float64, []int{math.MaxInt}, "is more than can be addressed"},
		{rtc.Float64, []int{1 << 31, 1 << 31}, "is more than can be addressed"},
		{rtc.Float64, []int{1 << 62, 4, 4}, "is more than can be addressed"},
		{rtc.Complex128, []int{1 << 59}, "is more than can be addressed"},
		{rtc.Uint8, []int{0, -1}, "axis 1"},
		{abi.Invalid, []int{1}, "is not a type of elements"},
		{rtc.DType(200), []int{1}, "is not a type of elements"},
	} {
		_, err := rtc.NewArray(r.dev, c.dtype, c.shape...)
		assert.ErrorContains(t, err, c.want)
		assert.ErrorContains(t, err, "rtc: new array: ")
	}
	_, err := rtc.NewArray(r.dev, rtc.Uint8, 1<<40)
	assert.ErrorIs(t, err, driver.OutOfMemory)
	assert.ErrorContains(t, err, "uint8 array [1099511627776]")

	for _, c := range []struct {
		shape []int
		len   int
	}{{nil, 1}, {[]int{}, 1}, {[]int{0}, 0}, {[]int{1 << 62, 4, 0}, 0}, {[]int{0, math.MaxInt, math.MaxInt}, 0}, {[]int{2, 3}, 6}} {
		a, err := rtc.NewArray(r.dev, rtc.Float64, c.shape...)
		require.NoError(t, err)
		assert.Equal(t, c.len, a.Len())
		assert.Equal(t, 8*c.len, a.Bytes())
		assert.Equal(t, len(c.shape), len(a.Shape()))
		assert.Same(t, r.dev, a.Device())
		assert.Equal(t, rtc.Float64, a.DType())
		if len(c.shape) > 0 {
			a.Shape()[0] = 99
			assert.Equal(t, c.shape, a.Shape(), "a copy")
		}
		require.NoError(t, a.Close())
	}
	for _, c := range []struct {
		n     int
		shape []int
		want  string
	}{
		{6, []int{2, 2}, "shape [2 2] has 4 elements, the slice 6"},
		{6, []int{-2, -3}, "axis 0 of shape [-2 -3] is negative"},
		{0, []int{1}, "shape [1] has 1 elements, the slice 0"},
		{1, []int{0}, "shape [0] has 0 elements, the slice 1"},
		{1, []int{1 << 32, 1 << 32}, "is more than can be addressed"}, // which is 0 in 64 bits
	} {
		_, err := rtc.FromSlice(r.dev, make([]int8, c.n), c.shape...)
		assert.ErrorContains(t, err, c.want)
		assert.ErrorContains(t, err, "rtc: from slice: ")
	}
	// Failing half way leaves nothing.
	for f, try := range map[string]func() (*rtc.Array, error){
		"cuMemcpyHtoDAsync_v2": func() (*rtc.Array, error) { return rtc.FromSlice(r.dev, []int8{1}) },
		"cuStreamSynchronize":  func() (*rtc.Array, error) { return rtc.FromSlice(r.dev, []int8{1}) },
		"cuMemsetD8Async":      func() (*rtc.Array, error) { return rtc.Zeros[int8](r.dev, 1) },
		"cuMemcpyDtoDAsync_v2": func() (*rtc.Array, error) { return rtc.Full(r.dev, 1.5, 9) },
		"cuMemAlloc_v2":        func() (*rtc.Array, error) { return rtc.Ones[int8](r.dev, 1) },
	} {
		r.double.Fail(f, driver.InvalidValue, 1)
		a, err := try()
		assert.Nil(t, a, f)
		assert.ErrorIs(t, err, driver.InvalidValue, f)
		assert.ErrorContains(t, err, "rtc: ", f)
	}
	assert.Zero(t, r.double.Live().Allocations)
}

type (
	flag bool
	tiny int8
	half = rtc.Half
	word uint16
)

// TestElements fills and reads arrays of every type of element.
func TestElements(t *testing.T) {
	r := newRig(t, plain)
	testElement(t, r, true, true)
	testElement(t, r, flag(true), flag(true))
	testElement(t, r, int8(-7), 1)
	testElement(t, r, tiny(-7), 1)
	testElement(t, r, uint8(200), 1)
	testElement(t, r, int16(-300), 1)
	testElement(t, r, word(65535), 1)
	testElement(t, r, int32(-70000), 1)
	testElement(t, r, uint32(1<<31), 1)
	testElement(t, r, int64(math.MinInt64), 1)
	testElement(t, r, uint64(math.MaxUint64), 1)
	testElement(t, r, -5, 1)
	testElement(t, r, uint(5), 1)
	testElement(t, r, float32(math.Pi), 1)
	testElement(t, r, math.Pi, 1)
	testElement(t, r, math.Copysign(0, -1), 1)
	testElement(t, r, complex64(1-2i), 1)
	testElement(t, r, 1-2i, 1)
	testElement(t, r, half(0x3800), rtc.HalfOf(1))
	testElement(t, r, rtc.BFloat16Of(-2), rtc.BFloat16Of(1))
	testElement(t, r, abi.E4M3(0x7E), abi.E4M3FromFloat32(1))
	testElement(t, r, abi.E5M2(0x7B), abi.E5M2FromFloat32(1))
}

func testElement[T rtc.Element](t *testing.T, r *rig, v, one T) {
	t.Run(fmt.Sprintf("%T", v), func(t *testing.T) {
		require.NoError(t, r.dev.Scope(func(s *rtc.Scope) error {
			for _, n := range []int{0, 1, 2, 3, 7, 1000} {
				full, err := rtc.Full(s, v, n)
				require.NoError(t, err)
				zeros, err := rtc.Zeros[T](s, n)
				require.NoError(t, err)
				ones, err := rtc.Ones[T](s, n)
				require.NoError(t, err)
				want := make([]T, n)
				assert.Equal(t, want, slice[T](t, zeros))
				for i := range want {
					want[i] = one
				}
				assert.Equal(t, want, slice[T](t, ones))
				for i := range want {
					want[i] = v
				}
				got := slice[T](t, full)
				assert.Equal(t, want, got)
				if n > 0 {
					assert.Equal(t, fmt.Sprint(want[0]), fmt.Sprint(got[n-1])) // -0 is not 0
				}
				require.NoError(t, rtc.CopyFromSlice(zeros, want))
				assert.Equal(t, want, slice[T](t, zeros))
				made, err := rtc.FromSlice(s, want)
				require.NoError(t, err)
				assert.Equal(t, want, slice[T](t, made))
				assert.Equal(t, abi.DTypeOf[T](), made.DType())
				assert.ErrorContains(t, rtc.CopyFromSlice(made, append(want, one)), fmt.Sprintf("has %d elements, the slice %d", n, n+1))
			}
			return nil
		}))
	})
}

// What a slice may be read into goes by kind and width, and a bool is 0 or 1
// whatever a kernel wrote.
func TestToSliceTypes(t *testing.T) {
	r := newRig(t, plain)
	type celsius float32
	f := array(t, r.dev, float32(1), 2)
	assert.Equal(t, []celsius{1, 2}, slice[celsius](t, f))
	assert.ErrorContains(t, second(rtc.ToSlice[int32](f)), "rtc: to slice: float32 array [2] does not hold int32")
	assert.ErrorContains(t, second(rtc.ToSlice[uint32](f)), "does not hold")
	assert.ErrorContains(t, second(rtc.ToSlice[float64](f)), "does not hold")
	assert.ErrorContains(t, rtc.CopyFromSlice(f, []float64{1, 2}), "rtc: copy from slice: float32 array [2] does not hold float64")
	h := array(t, r.dev, rtc.HalfOf(1))
	assert.ErrorContains(t, second(rtc.ToSlice[uint16](h)), "does not hold uint16")
	i := array(t, r.dev, 1, 2)
	assert.Equal(t, []int64{1, 2}, slice[int64](t, i))
	b := array(t, r.dev, true, false, true)
	p, _, err := b.DevicePointer()
	require.NoError(t, err)
	copy(r.double.Memory(driver.Pointer(p), 3), []byte{2, 0, 255})
	got := slice[bool](t, b)
	assert.Equal(t, []bool{true, false, true}, got)
	assert.True(t, got[0] == got[2], "one and the same true")
}
