package abi

import (
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// A device array as another package would write it.
type fakeArray struct {
	addr uint64
	elem DType
	err  error
}

func (a *fakeArray) DevicePointer() (uint64, DType, error) {
	if a == nil {
		return 0, Invalid, nil
	}
	return a.addr, a.elem, a.err
}

// newBuffer makes a Buffer by C's rules, with size bytes for each struct.
func newBuffer(t testing.TB, signature string, opaque ...Slot) *Buffer {
	t.Helper()
	sig := mustParse(t, signature)
	var slots []Slot
	if len(opaque) > 0 {
		slots = opaque
	}
	b, err := NewBuffer("k", sig, slots)
	require.NoError(t, err)
	return b
}

func le(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		if p != nil {
			b, _ = binary.Append(b, binary.LittleEndian, p)
		}
	}
	return b
}

func TestSetNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		ctype string
		v     any
		want  any    // little-endian bytes of this, or
		err   string // the reason for the refusal
	}{
		// Integers: exactly or refused.
		{"int", 7, int32(7), ""},
		{"int", -7, int32(-7), ""},
		{"int", int8(-7), int32(-7), ""},
		{"int", uint64(math.MaxInt32), int32(math.MaxInt32), ""},
		{"int", math.MaxInt32 + 1, nil, "2147483648 is outside -2147483648 to 2147483647"},
		{"int", int64(math.MinInt32), int32(math.MinInt32), ""},
		{"int", int64(math.MinInt32 - 1), nil, "is outside"},
		{"int", uint64(math.MaxUint64), nil, "is outside"},
		{"int", 3.0, int32(3), ""},
		{"int", float32(-3), int32(-3), ""},
		{"int", math.Copysign(0, -1), int32(0), ""},
		{"int", 3.5, nil, "3.5 is no integer"},
		{"int", nan, nil, "NaN is no integer"},
		{"int", inf, nil, "+Inf is outside"},
		{"int", 1e10, nil, "1e+10 is outside"},
		{"int", Half(0x4200), int32(3), ""},
		{"int", 'a', int32(97), ""},
		{"int", true, nil, "want int, got bool: the parameter takes an integer"},
		{"int", "3", nil, "the parameter takes an integer"},
		{"int", 3 + 0i, nil, "has an imaginary part"},
		{"unsigned int", math.MaxUint32, uint32(math.MaxUint32), ""},
		{"unsigned int", -1, nil, "-1 is outside 0 to 4294967295"},
		{"unsigned int", uint64(math.MaxUint64), nil, "is outside"},
		{"char", 127, int8(127), ""},
		{"char", 128, nil, "128 is outside -128 to 127"},
		{"int8_t", -128, int8(-128), ""},
		{"uint8_t", 255, uint8(255), ""},
		{"uint8_t", 256, nil, "256 is outside 0 to 255"},
		{"short", -32768, int16(-32768), ""},
		{"unsigned short", uint16(65535), uint16(65535), ""},
		{"int64_t", math.MinInt64, int64(math.MinInt64), ""},
		{"int64_t", uint64(1 << 63), nil, "is outside -9223372036854775808 to 9223372036854775807"},
		{"int64_t", -0x1p63, int64(math.MinInt64), ""},
		{"int64_t", 0x1p63, nil, "is outside"},
		{"size_t", uint64(math.MaxUint64), uint64(math.MaxUint64), ""},
		{"size_t", 0x1p63, uint64(1 << 63), ""},
		{"size_t", 0x1p64, nil, "is outside 0 to 18446744073709551615"},
		{"size_t", -1, nil, "is outside"},
		{"size_t", -0.5, nil, "is no integer"},
		{"size_t", uint(9), uint64(9), ""},
		{"long long", mode(7), int64(7), ""},
		{"cudaTextureObject_t", uint64(5), uint64(5), ""},

		// Floats: nearest, ties to even; nothing finite becomes infinite.
		{"float", 3.0, float32(3), ""},
		{"float", 3, float32(3), ""},
		{"float", 0.1, float32(0.1), ""},
		{"float", float32(0.1), float32(0.1), ""},
		{"float", 1<<24 + 1, float32(1 << 24), ""},
		{"float", 1<<24 + 3, float32(1<<24 + 4), ""},
		{"float", int64(1<<60 + 1<<36 + 1), float32(1<<60 + 1<<37), ""},
		{"float", uint64(math.MaxUint64), float32(0x1p64), ""},
		{"float", nan, uint32(0x7fc00000), ""},
		{"float", -inf, float32(-inf), ""},
		{"float", 1e39, nil, "1e+39 is too large, and would become infinite; the largest is 3.4028234663852886e+38"},
		{"float", 0x1.ffffffp127, nil, "too large"},
		{"float", 0x1.fffffefp127, float32(math.MaxFloat32), ""},
		{"float", 1e-50, float32(0), ""},
		{"float", meters(2.5), float32(2.5), ""},
		{"float", Half(0x3800), float32(0.5), ""},
		{"float", true, nil, "the parameter takes a number"},
		{"float", 1i, nil, "imaginary"},
		{"float", []float32{1}, nil, "want float, got []float32: the parameter takes a number"},
		{"float", new(float32), nil, "pass what the pointer points to"},
		{"double", 0.1, 0.1, ""},
		{"double", float32(0.1), float64(float32(0.1)), ""},
		{"double", int64(math.MaxInt64), 0x1p63, ""},
		{"double", int64(math.MinInt64), -0x1p63, ""},
		{"double", 1<<53 + 1, 0x1p53, ""},
		{"double", inf, inf, ""},
		{"__half", 1.0, uint16(0x3c00), ""},
		{"__half", 1, uint16(0x3c00), ""},
		{"__half", 2049, uint16(0x6800), ""},
		{"__half", 65519.0, uint16(0x7bff), ""},
		{"__half", 65520.0, nil, "the largest is 65504"},
		{"__half", -65520, nil, "-65520 is too large"},
		{"__half", inf, uint16(0x7c00), ""},
		{"__half", nan, uint16(0x7e00), ""},
		{"__half", 1 + 0x1p-11 + 0x1p-40, uint16(0x3c01), ""},
		{"__half", Half(0x7c01), uint16(0x7c01), ""},
		{"__half", BFloat16(0x3f80), uint16(0x3c00), ""},
		{"__nv_bfloat16", 1.0, uint16(0x3f80), ""},
		{"__nv_bfloat16", int64(1<<60 + 1<<52 + 1), uint16(0x5d81), ""},
		{"__nv_bfloat16", int64(-(1<<60 + 1<<52 + 1)), uint16(0xdd81), ""},
		{"__nv_bfloat16", BFloat16(0xff81), uint16(0xff81), ""},
		{"__nv_bfloat16", 3.4e38, nil, "too large"},
		{"__nv_fp8_e4m3", 448, uint8(0x7e), ""},
		{"__nv_fp8_e4m3", 464.0, uint8(0x7e), ""},
		{"__nv_fp8_e4m3", 465.0, nil, "the largest is 448"},
		{"__nv_fp8_e4m3", inf, nil, "the type has no infinity"},
		{"__nv_fp8_e4m3", nan, uint8(0x7f), ""},
		{"__nv_fp8_e4m3", E4M3(0x12), uint8(0x12), ""},
		{"__nv_fp8_e5m2", -inf, uint8(0xfc), ""},
		{"__nv_fp8_e5m2", E5M2(0x12), uint8(0x12), ""},
		{"__nv_fp8_e5m2", 1e6, nil, "the largest is 57344"},

		// bool: one byte, only 0 and 1.
		{"bool", true, uint8(1), ""},
		{"bool", false, uint8(0), ""},
		{"bool", flag(true), uint8(1), ""},
		{"bool", 1, uint8(1), ""},
		{"bool", uint8(0), uint8(0), ""},
		{"bool", 2, nil, "2 is outside 0 and 1"},
		{"bool", -1, nil, "-1 is outside 0 and 1"},
		{"bool", uint64(math.MaxUint64), nil, "outside 0 and 1"},
		{"bool", 0.5, nil, "no integer"},
		{"bool", "true", nil, "takes a bool, 0 or 1"},
		{"bool", Raw{2}, nil, "outside 0 and 1"},
		{"bool", Raw{1}, uint8(1), ""},

		// Complex numbers.
		{"thrust::complex<float>", complex64(1 + 2i), []float32{1, 2}, ""},
		{"thrust::complex<float>", 1 + 2i, []float32{1, 2}, ""},
		{"thrust::complex<float>", 3, []float32{3, 0}, ""},
		{"thrust::complex<float>", complex(1, 1e300), nil, "too large"},
		{"thrust::complex<float>", "i", nil, "takes a complex number"},
		{"cuda::std::complex<double>", complex64(1 + 2i), []float64{1, 2}, ""},
		{"cuda::std::complex<double>", 0.1i, []float64{0, 0.1}, ""},
		{"cuFloatComplex", complex64(1 + 2i), []float32{1, 2}, ""},
		{"cuFloatComplex", 1 + 2i, []float32{1, 2}, ""},
		{"float2", complex64(1 + 2i), []float32{1, 2}, ""},
		{"cuDoubleComplex", 1 + 2i, []float64{1, 2}, ""},
		{"cuFloatComplex", 1.0, nil, "takes an array of 2 numbers of type float32"},
		{"float4", 1i, nil, "takes an array of 4 numbers"},
		{"int2", 1i, nil, "takes an array of 2 numbers of type int32"},

		// Vectors.
		{"float4", [4]float32{1, 2, 3, 4}, []float32{1, 2, 3, 4}, ""},
		{"float4", struct{ X, Y, Z, W float32 }{1, 2, 3, 4}, []float32{1, 2, 3, 4}, ""},
		{"float3", [3]float32{1, 2, 3}, []float32{1, 2, 3}, ""},
		{"float4", [3]float32{1, 2, 3}, nil, "exactly its 4 numbers of type float32"},
		{"float4", [4]float64{1, 2, 3, 4}, nil, "exactly its 4 numbers of type float32"},
		{"float4", []float32{1, 2, 3, 4}, nil, "takes an array of 4 numbers"},
		{"float4", 1.0, nil, "takes an array of 4 numbers"},
		{"int4", [2][2]int32{{1, 2}, {3, 4}}, []int32{1, 2, 3, 4}, ""},
		{"int4", [4]int{1, 2, 3, 4}, nil, "the size of int depends on the platform"},
		{"uchar4", [4]uint8{1, 2, 3, 4}, []uint8{1, 2, 3, 4}, ""},
		{"char4", [4]uint8{1, 2, 3, 4}, nil, "numbers of type int8"},
		{"longlong3", [3]int64{1, -2, 3}, []int64{1, -2, 3}, ""},
		{"double2", [2]float64{1, 2}, []float64{1, 2}, ""},
		{"__half2", [2]Half{1, 2}, []uint16{1, 2}, ""},
		{"__half2", [2]uint16{1, 2}, nil, "numbers of type float16"},
		{"__nv_bfloat162", [2]BFloat16{1, 2}, []uint16{1, 2}, ""},
		{"__nv_fp8x4_e4m3", [4]E4M3{1, 2, 3, 4}, []uint8{1, 2, 3, 4}, ""},
		{"dim3", [3]uint32{1, 2, 3}, []uint32{1, 2, 3}, ""},
		{"float4", Raw(make([]byte, 16)), make([]byte, 16), ""},
		{"float4", Raw(make([]byte, 15)), nil, "it has 15 bytes, the compiled kernel takes 16"},

		// Pointers for scalars.
		{"float", nil, nil, "want float, got nil: the parameter is a value, not a pointer: pass a number"},
		{"int", &fakeArray{}, nil, "got *abi.fakeArray: the parameter is a value, not a pointer: pass an integer"},
		{"size_t", Addr(1), nil, "got abi.Addr: the parameter is a value, not a pointer: pass an integer"},
		{"size_t", uintptr(1), nil, "takes an integer"},
		{"float", Raw{1, 2, 3}, nil, "it has 3 bytes, the compiled kernel takes 4"},
	} {
		t.Run(c.ctype, func(t *testing.T) {
			b := newBuffer(t, "char before, "+c.ctype+" v, char after")
			at := uintptr(b.Pointers()[1]) - uintptr(b.Pointers()[0])
			size := b.Signature().Params[1].Type.Size(Host)
			for i := range b.Bytes() {
				b.Bytes()[i] = 0x5a
			}
			err := b.Set(1, c.v)
			want := le(c.want)
			if c.err != "" {
				var e *ArgumentError
				require.ErrorAs(t, err, &e)
				require.ErrorContains(t, err, c.err)
				require.ErrorContains(t, err, "abi: kernel k: argument 1 (v): want ")
				want = make([]byte, size) // stays as it was
				for i := range want {
					want[i] = 0x5a
				}
			} else {
				require.NoError(t, err, "%v", c.v)
			}
			require.Equal(t, want, b.Bytes()[at:at+uintptr(size)], "%v", c.v)
			for i, x := range b.Bytes() {
				if i < int(at) || i >= int(at)+size {
					require.Equal(t, byte(0x5a), x, "byte %d beside the argument", i)
				}
			}
		})
	}
}

// Named types count as the types they are made of.
func TestSetNamed(t *testing.T) {
	type (
		i   int
		i8  int8
		i64 int64
		u   uint
		u16 uint16
		f32 float32
		f64 float64
		b   bool
		c64 complex64
		c   complex128
	)
	for _, c := range []struct {
		ctype string
		v     any
		want  any
	}{
		{"short", i(-3), int16(-3)}, {"short", i8(-3), int16(-3)}, {"short", i64(-3), int16(-3)},
		{"int", u(3), int32(3)}, {"int", u16(3), int32(3)}, {"size_t", mode(3), uint64(3)},
		{"float", f32(0.1), float32(0.1)}, {"float", f64(0.1), float32(0.1)}, {"float", f32(math.Inf(1)), float32(math.Inf(1))},
		{"bool", b(true), uint8(1)},
		{"thrust::complex<float>", c64(1i), []float32{0, 1}}, {"thrust::complex<float>", c(1i), []float32{0, 1}},
		{"unsigned short", halfLike(0x3c00), uint16(0x3c00)},
	} {
		buf := newBuffer(t, c.ctype+" v")
		require.NoError(t, buf.Set(0, c.v), "%T", c.v)
		require.Equal(t, le(c.want), buf.Bytes(), "%T", c.v)
	}
	for _, v := range []any{i(128), u(128), i64(-129), f64(0.5), b(true), c(1i), make(chan int), func() {}, map[int]int{}} {
		require.Error(t, newBuffer(t, "char c").Set(0, v), "%T", v)
	}
}

func TestSetEnum(t *testing.T) {
	for _, c := range []struct {
		size int
		v    any
		want any
		err  string
	}{
		{1, mode(200), uint8(200), ""},
		{1, -128, int8(-128), ""},
		{1, 255, uint8(255), ""},
		{1, 256, nil, "256 is outside -128 to 255"},
		{1, -129, nil, "-129 is outside -128 to 255"},
		{2, 40000, uint16(40000), ""},
		{4, 7, int32(7), ""},
		{4, uint32(math.MaxUint32), uint32(math.MaxUint32), ""},
		{4, 7.0, int32(7), ""},
		{4, uint64(math.MaxUint64), nil, "is outside"},
		{8, uint64(math.MaxUint64), uint64(math.MaxUint64), ""},
		{8, math.MinInt64, int64(math.MinInt64), ""},
		{4, "B", nil, "takes an integer"},
	} {
		b := newBuffer(t, "enum Mode m", Slot{0, c.size, c.size})
		err := b.Set(0, c.v)
		if c.err != "" {
			require.ErrorContains(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, le(c.want), b.Bytes())
	}
}

// A type known by its name only takes values of its size that can't be misread.
func TestSetOpaque(t *testing.T) {
	for _, c := range []struct {
		slot Slot
		v    any
		want any
		err  string
	}{
		{Slot{0, 1, 1}, mode(7), uint8(7), ""},
		{Slot{0, 4, 4}, int32(-7), int32(-7), ""},
		{Slot{0, 4, 4}, uint32(7), uint32(7), ""},
		{Slot{0, 8, 8}, uint64(math.MaxUint64), uint64(math.MaxUint64), ""},
		{Slot{0, 2, 2}, int16(-2), int16(-2), ""},
		{Slot{0, 4, 4}, mode(7), nil, "it has 1 byte, the compiled kernel takes 4"},
		{Slot{0, 8, 8}, int32(7), nil, "it has 4 bytes, the compiled kernel takes 8"},
		{Slot{0, 8, 8}, 7, nil, "sized integer of 8 bytes"},
		{Slot{0, 4, 4}, float32(7), nil, "if its type is an alias of a number, state the signature"},
		{Slot{0, 8, 8}, 7.0, nil, "state the signature"},
		{Slot{0, 2, 2}, Half(0x3c00), uint16(0x3c00), ""},
		{Slot{0, 2, 2}, BFloat16(0x3c00), uint16(0x3c00), ""},
		{Slot{0, 1, 1}, E4M3(3), uint8(3), ""},
		{Slot{0, 4, 4}, Half(0x3c00), nil, "takes a Go struct"},
		{Slot{0, 8, 4}, complex64(1 + 2i), []float32{1, 2}, ""},
		{Slot{0, 16, 8}, 1 + 2i, []float64{1, 2}, ""},
		{Slot{0, 8, 8}, 1 + 2i, nil, "takes a Go struct"},
		{Slot{0, 8, 4}, struct{ A, B float32 }{1, 2}, []float32{1, 2}, ""},
		{Slot{0, 16, 8}, [2]uint64{1, 2}, []uint64{1, 2}, ""},
		{Slot{0, 8, 8}, &fakeArray{}, nil, "the parameter is a value"},
		{Slot{0, 3, 1}, Raw{1, 2, 3}, []byte{1, 2, 3}, ""},
	} {
		sig, err := FromMangled("_Z1k5Thing")
		require.NoError(t, err)
		b, err := NewBuffer("k", sig, []Slot{c.slot})
		require.NoError(t, err)
		err = b.Set(0, c.v)
		if c.err != "" {
			require.ErrorContains(t, err, c.err, "%v", c.v)
			continue
		}
		require.NoError(t, err, "%v", c.v)
		require.Equal(t, le(c.want), b.Bytes())
	}
}

func TestSetPointers(t *testing.T) {
	broken := errors.New("array is closed")
	var none *fakeArray
	x := float32(1)
	for _, c := range []struct {
		ctype string
		v     any
		want  uint64
		err   string
	}{
		{"float *", &fakeArray{0x1000, Float32, nil}, 0x1000, ""},
		{"float *", &fakeArray{0x1000, Invalid, nil}, 0x1000, ""},
		{"float *", Addr(0x1234), 0x1234, ""},
		{"float *", nil, 0, ""},
		{"float *", none, 0, ""},
		{"float *", &fakeArray{0x1000, Float64, nil}, 0, "want float *, got *abi.fakeArray: the array's elements are float64"},
		{"float *", &fakeArray{0x1000, DType(99), nil}, 0, "the array's elements are DType(99)"},
		{"const void *", &fakeArray{0x1001, Float64, nil}, 0x1001, ""},
		{"float4 *", &fakeArray{0x1010, Float32, nil}, 0x1010, ""},
		{"float4 *", &fakeArray{0x1004, Float32, nil}, 0, "the array starts at 0x1004, which is no multiple of 16, as float4 needs"},
		{"double *", &fakeArray{0x1004, Float64, nil}, 0, "no multiple of 8, as double needs"},
		{"float **", &fakeArray{0x1000, Uint64, nil}, 0x1000, ""},
		{"float **", &fakeArray{0x1000, Float32, nil}, 0, "elements are float32"},
		{"bool *", &fakeArray{0x1000, Uint8, nil}, 0, "elements are uint8"},
		{"uint8_t *", &fakeArray{0x1000, Bool, nil}, 0x1000, ""},
		{"struct P *", &fakeArray{0x1000, Uint8, nil}, 0x1000, ""},
		{"float *", &fakeArray{0, Float32, broken}, 0, "array is closed"},
		{"float *", &x, 0, "got *float32: that is host memory, which the kernel can't reach: copy it into an array on the device (rtc.FromSlice)"},
		{"float *", []float32{1}, 0, "got []float32: that is host memory"},
		{"float *", [1]float32{1}, 0, "got [1]float32: that is host memory"},
		{"char *", "text", 0, "copy its bytes into an array on the device"},
		{"char *", []byte("text"), 0, "host memory"},
		{"float *", uintptr(1), 0, "write abi.Addr(x)"},
		{"float *", unsafe.Pointer(&x), 0, "host memory"},
		{"float *", 5, 0, "a number is no pointer: pass an array on the device, or abi.Addr"},
		{"float *", uint64(5), 0, "a number is no pointer"},
		{"float *", 5.0, 0, "a pointer takes an array on the device, an abi.Addr or nil"},
		{"float *", true, 0, "a pointer takes"},
		{"float *", 1i, 0, "a pointer takes"},
		{"float *", Half(1), 0, "a number is no pointer"},
		{"float *", Raw(make([]byte, 8)), 0, "host memory"},
		{"float *", struct{}{}, 0, "a pointer takes"},
		{"float *", new(*fakeArray), 0, "pass what it points to"},
		{"float *", fakeArray{}, 0, "pass its address, which is the array"},
	} {
		t.Run(c.ctype, func(t *testing.T) {
			b := newBuffer(t, "int n, "+c.ctype+" p")
			require.NoError(t, b.SetPointer(1, 0x77))
			err := b.Set(1, c.v)
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				require.ErrorContains(t, err, "abi: kernel k: argument 1 (p): want ")
				require.Equal(t, le(uint64(0x77)), b.Bytes()[8:])
				if a, ok := c.v.(*fakeArray); ok && a.err != nil {
					require.ErrorIs(t, err, broken)
				}
				return
			}
			require.NoError(t, err)
			require.Equal(t, le(c.want), b.Bytes()[8:])
		})
	}
}

// B35, B37: kinds and counts are refused before anything could reach the driver.
func TestSetAll(t *testing.T) {
	b := newBuffer(t, "float *a, float *b, int n")
	ptr := &fakeArray{0x1000, Float32, nil}
	require.NoError(t, b.SetAll([]any{ptr, ptr, 5}))
	err := b.SetAll([]any{ptr, 5, ptr})
	require.EqualError(t, err, "abi: kernel k: argument 1 (b): want float *, got int: a number is no pointer: pass an array on the device, or abi.Addr for an address of device memory")
	for n, args := range [][]any{{}, {ptr}, {ptr, ptr}} {
		err = b.SetAll(args)
		var e *CountError
		require.ErrorAs(t, err, &e)
		require.Equal(t, CountError{Kernel: "k", Want: 3, Got: n, Signature: "float *a, float *b, int n"}, *e)
	}
	err = b.SetAll([]any{ptr, ptr, 1, 2})
	require.EqualError(t, err, "abi: kernel k: want 3 arguments (float *a, float *b, int n), got 4")

	none := newBuffer(t, "")
	require.NoError(t, none.SetAll(nil))
	require.EqualError(t, none.SetAll([]any{1}), "abi: kernel k: want 0 arguments (void), got 1")
	require.Nil(t, none.Pointers())
	require.Empty(t, none.Bytes())
	require.Zero(t, none.Clone().Len())
}

func TestSetOutOfRange(t *testing.T) {
	b := newBuffer(t, "int n")
	for _, i := range []int{-1, 1, math.MaxInt} {
		for _, err := range []error{b.Set(i, 1), b.SetPointer(i, 1), b.SetArray(i, 1, Float32), b.SetFloat64(i, 1), b.SetInt64(i, 1), b.SetUint64(i, 1), b.SetBytes(i, nil)} {
			var e *ArgumentError
			require.ErrorAs(t, err, &e)
			require.ErrorContains(t, err, "there is none: the kernel takes 1 argument (int n)")
		}
	}
}

func TestTypedSetters(t *testing.T) {
	b := newBuffer(t, "float f, int n, unsigned long long u, float *p, float4 v")
	require.NoError(t, b.SetFloat64(0, 1.5))
	require.NoError(t, b.SetInt64(1, -2))
	require.NoError(t, b.SetUint64(2, math.MaxUint64))
	require.NoError(t, b.SetPointer(3, 0xabc))
	require.NoError(t, b.SetBytes(4, le([4]float32{1, 2, 3, 4})))
	require.Equal(t, le(float32(1.5), int32(-2), uint64(math.MaxUint64), uint64(0xabc), uint64(0), [4]float32{1, 2, 3, 4}), b.Bytes())
	require.ErrorContains(t, b.SetFloat64(0, 1e300), "got float64: 1e+300 is too large")
	require.ErrorContains(t, b.SetInt64(1, 1<<40), "got int64: 1099511627776 is outside")
	require.ErrorContains(t, b.SetInt64(3, 1), "a number is no pointer")
	require.ErrorContains(t, b.SetUint64(1, math.MaxUint64), "got uint64: 18446744073709551615 is outside")
	require.ErrorContains(t, b.SetPointer(1, 1), "got abi.Addr: the parameter is a value")
	require.ErrorContains(t, b.SetBytes(4, nil), "it has 0 bytes")
	require.NoError(t, b.SetArray(3, 0x40, Float32))
	require.Equal(t, le(uint64(0x40)), b.Bytes()[16:24])
	require.NoError(t, b.SetArray(3, 0x44, Invalid))
	require.EqualError(t, b.SetArray(3, 0x80, Float64), "abi: kernel k: argument 3 (p): want float *, got abi.Addr: the array's elements are float64")
	require.ErrorContains(t, b.SetArray(3, 0x80, DType(99)), "the array's elements are DType(99)")
	require.ErrorContains(t, b.SetArray(3, 0x42, Float32), "the array starts at 0x42, which is no multiple of 4, as float needs")
	require.ErrorContains(t, b.SetArray(1, 0x80, Int32), "got abi.Addr: the parameter is a value")
	require.Equal(t, le(uint64(0x44)), b.Bytes()[16:24], "what is refused changes nothing")
}

// Pointers holds the address of each argument's bytes, at the compiled kernel's
// offsets, and survives a collection.
func TestPointers(t *testing.T) {
	for _, c := range b38 {
		if HostModel() == LLP64 && c.kernel == "k_ints" {
			continue
		}
		b, err := NewBuffer(c.kernel, mustParse(t, c.signature), c.slots)
		require.NoError(t, err)
		require.Len(t, b.Pointers(), len(c.slots))
		require.Equal(t, c.kernel, b.Kernel())
		for i, s := range c.slots {
			fill := make([]byte, s.Size)
			for k := range fill {
				fill[k] = byte(i + 1)
			}
			copy(unsafe.Slice((*byte)(b.Pointers()[i]), s.Size), fill)
			runtime.GC()
			require.Equal(t, fill, b.Bytes()[s.Offset:s.Offset+s.Size])
		}
		if n := len(c.slots); n > 0 {
			require.Len(t, b.Bytes(), c.slots[n-1].Offset+c.slots[n-1].Size)
			require.Zero(t, uintptr(b.Pointers()[0])%8)
		}
	}
}

func TestClone(t *testing.T) {
	b := newBuffer(t, "float *x, float alpha, struct P p, int n", Slot{0, 8, 8}, Slot{8, 4, 4}, Slot{16, 16, 8}, Slot{32, 4, 4})
	type pair struct{ A, B uint64 }
	require.NoError(t, b.SetAll([]any{Addr(1), 2.0, pair{3, 4}, 5}))
	c := b.Clone()
	require.Equal(t, b.Bytes(), c.Bytes())
	require.Equal(t, b.Signature(), c.Signature())
	before := append([]byte(nil), b.Bytes()...)
	require.NoError(t, c.SetAll([]any{Addr(10), 20.0, pair{30, 40}, 50}))
	require.Equal(t, before, b.Bytes())
	require.Equal(t, le(uint64(10), float32(20), uint32(0), uint64(30), uint64(40), int32(50)), c.Bytes())
	for i := range c.Len() {
		require.NotEqual(t, b.Pointers()[i], c.Pointers()[i])
		require.Equal(t, uintptr(b.Pointers()[i])-uintptr(b.Pointers()[0]), uintptr(c.Pointers()[i])-uintptr(c.Pointers()[0]))
	}
}

// 4 KB and the most that CUDA takes.
func TestBigParameters(t *testing.T) {
	type big struct{ V [4089]float64 }
	for _, size := range []int{4096, 32712} {
		b, err := NewBuffer("k", mustParse(t, "struct Big b, float *p"), []Slot{{0, size, 8}, {size, 8, 8}})
		require.NoError(t, err)
		if size == 32712 {
			var v big
			for i := range v.V {
				v.V[i] = float64(i)
			}
			require.NoError(t, b.Set(0, v))
			require.Equal(t, le(v), b.Bytes()[:size])
		}
		require.NoError(t, b.Set(0, Raw(make([]byte, size))))
	}
	_, err := NewBuffer("k", mustParse(t, "struct Big b"), []Slot{{0, MaxParamBytes + 1, 1}})
	require.ErrorContains(t, err, "32765 bytes of parameters, of at most 32764")
}

func TestNewBufferNeedsSlotsForStructs(t *testing.T) {
	_, err := NewBuffer("k", mustParse(t, "int n, struct P p"), nil)
	require.EqualError(t, err, "abi: kernel k: argument 1 (p): only the compiled kernel tells the size of struct P")
}

type pod struct {
	A float32
	B int32
}

func TestSetAllocatesNothing(t *testing.T) {
	b := newBuffer(t, "float *x, float alpha, int n, unsigned long long u, bool f, __half h, double d, float4 v, struct P p",
		Slot{0, 8, 8}, Slot{8, 4, 4}, Slot{12, 4, 4}, Slot{16, 8, 8}, Slot{24, 1, 1}, Slot{26, 2, 2}, Slot{32, 8, 8}, Slot{48, 16, 16}, Slot{64, 8, 4})
	args := []any{&fakeArray{0x1000, Float32, nil}, 3.25, 1 << 20, uint64(1 << 40), true, HalfFromFloat32(2), 1e300, [4]float32{1, 2, 3, 4}, pod{1, 2}}
	require.NoError(t, b.SetAll(args))
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if b.SetAll(args) != nil {
			t.Fail()
		}
	}))
	for _, v := range []any{int8(1), int16(1), int32(1), int64(1), uint8(1), uint16(1), uint32(1), uint(1), float32(1), meters(1), mode(1), Half(0x3c00), BFloat16(0x3f80)} {
		require.Zero(t, testing.AllocsPerRun(100, func() {
			if b.Set(1, v) != nil {
				t.Fail()
			}
		}), "%T", v)
	}
	f, i, u := 1.5, int64(1), uint64(2)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		f, i, u = f+1, i+1, u+1
		if b.SetFloat64(1, f) != nil || b.SetInt64(2, i) != nil || b.SetUint64(3, u) != nil || b.SetPointer(0, u) != nil {
			t.Fail()
		}
	}))
}

func BenchmarkSetAll(b *testing.B) {
	buf := newBuffer(b, "const float *x, float *y, float alpha, int n")
	x := &fakeArray{0x1000, Float32, nil}
	args := []any{x, x, 3.25, 1 << 20}
	b.ReportAllocs()
	for b.Loop() {
		if err := buf.SetAll(args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSetFloat64(b *testing.B) {
	buf := newBuffer(b, "float alpha")
	b.ReportAllocs()
	for i := range b.N {
		if err := buf.SetFloat64(0, float64(i)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSetStruct(b *testing.B) {
	buf := newBuffer(b, "struct P p", Slot{0, 8, 4})
	var v any = pod{1, 2}
	b.ReportAllocs()
	for b.Loop() {
		if err := buf.Set(0, v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewBuffer(b *testing.B) {
	sig := mustParse(b, "const float *x, float *y, float alpha, int n")
	slots, _ := sig.Layout(Host)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewBuffer("k", sig, slots); err != nil {
			b.Fatal(err)
		}
	}
}
