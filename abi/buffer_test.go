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
