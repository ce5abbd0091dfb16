package rtc_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/rtc"
)

type (
	padded struct { // char, double, char: 24 bytes in C and in Go
		A int8
		B float64
		C int8
	}
	aligned struct { // __align__(16), which Go can't say: the tail is written out
		A uint64
		B uint32
		_ [4]byte
	}
	nested struct {
		P [2]padded
		H rtc.Half
		F [3]float32
	}
	mode  uint8
	block [4000]byte
	huge  struct{ Words [4000]uint64 } // 32,000 bytes
)

// declarations are the C++ side of the types above.
const declarations = `
struct Padded { char a; double b; char c; };
struct __align__(16) Aligned { unsigned long long a; unsigned int b; };
struct Nested { Padded p[2]; unsigned short h; float f[3]; };
enum Mode : unsigned char { ModeA, ModeB };
struct Block { char bytes[4000]; };
struct Huge { unsigned long long words[4000]; };
`

// An echo is an argument that a kernel gives back bit by bit. blank are bytes
// of padding, which nobody promises anything about.
type echo struct {
	c     string // the type in the signature
	real  string // in the source, if that is another
	value any
	want  []byte
	blank [][2]int
}

func le(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

func echoes() []echo {
	var full block
	for i := range full {
		full[i] = byte(i * 7)
	}
	var giant huge
	for i := range giant.Words {
		giant.Words[i] = uint64(i) * 0x9E3779B97F4A7C15
	}
	pad := padded{-1, math.Pi, 7}
	padBytes := slices.Concat(le(int8(-1)), make([]byte, 7), le(math.Pi, int8(7)), make([]byte, 7))
	return []echo{
		{c: "float", value: 1.5, want: le(float32(1.5))},
		{c: "float", value: float32(math.Copysign(0, -1)), want: le(uint32(1 << 31))},
		{c: "float", value: 0.1, want: le(float32(0.1))},
		{c: "float", value: math.Inf(-1), want: le(float32(math.Inf(-1)))},
		{c: "double", value: 0.1, want: le(0.1)},
		{c: "double", value: 3, want: le(3.0)},
		{c: "int", value: -2, want: le(int32(-2))},
		{c: "int32_t", real: "int", value: 7.0, want: le(int32(7))},
		{c: "unsigned", value: uint32(math.MaxUint32), want: le(uint32(math.MaxUint32))},
		{c: "int8_t", real: "signed char", value: -128, want: le(int8(-128))},
		{c: "uint8_t", real: "unsigned char", value: 255, want: le(uint8(255))},
		{c: "char", value: 'x', want: le(uint8('x'))},
		{c: "short", value: -32768, want: le(int16(-32768))},
		{c: "unsigned short", value: 65535, want: le(uint16(65535))},
		{c: "int64_t", real: "long long", value: math.MinInt64, want: le(int64(math.MinInt64))},
		{c: "long long", value: -1, want: le(int64(-1))},
		{c: "unsigned long long", value: uint64(math.MaxUint64), want: le(uint64(math.MaxUint64))},
		{c: "size_t", value: 1 << 40, want: le(uint64(1 << 40))},
		{c: "bool", value: true, want: []byte{1}},
		{c: "bool", value: 0, want: []byte{0}},
		{c: "enum Mode", real: "Mode", value: mode(1), want: []byte{1}},
		{c: "__half", value: 1.5, want: le(uint16(0x3E00))},
		{c: "__half", value: rtc.HalfOf(-2), want: le(uint16(0xC000))},
		{c: "__nv_bfloat16", value: float32(1.5), want: le(uint16(0x3FC0))},
		{c: "char4", value: [4]int8{1, -2, 3, -4}, want: le([4]int8{1, -2, 3, -4})},
		{c: "uchar3", value: [3]uint8{1, 2, 3}, want: []byte{1, 2, 3}},
		{c: "int2", value: [2]int32{1, -2}, want: le([2]int32{1, -2})},
		{c: "float3", value: [3]float32{1, 2, 3}, want: le([3]float32{1, 2, 3})},
		{c: "float4", value: [4]float32{1, 2, 3, 4}, want: le([4]float32{1, 2, 3, 4})},
		{c: "double2", value: [2]float64{1, 2}, want: le([2]float64{1, 2})},
		{c: "longlong3", value: [3]int64{1, 2, 3}, want: le([3]int64{1, 2, 3})},
		{c: "double4", value: [4]float64{1, 2, 3, 4}, want: le([4]float64{1, 2, 3, 4})},
		{c: "float2", value: complex64(1 + 2i), want: le([2]float32{1, 2})},
		{c: "struct Padded", real: "Padded", value: pad, want: padBytes, blank: [][2]int{{1, 8}, {17, 24}}},
		{c: "struct Aligned", real: "Aligned", value: aligned{A: 1 << 60, B: 9}, want: append(le(uint64(1<<60), uint32(9)), 0, 0, 0, 0), blank: [][2]int{{12, 16}}},
		{c: "struct Nested", real: "Nested", value: nested{P: [2]padded{pad, pad}, H: 0x1234, F: [3]float32{1, 2, 3}},
			want:  slices.Concat(padBytes, padBytes, le(uint16(0x1234), uint16(0), [3]float32{1, 2, 3})),
			blank: [][2]int{{1, 8}, {17, 24}, {25, 32}, {41, 48}, {50, 52}}},
		{c: "const float *", value: nil, want: make([]byte, 8)},
		{c: "void *", value: abi.Addr(0x7f0012345678), want: le(uint64(0x7f0012345678))},
		{c: "struct Block", real: "Block", value: full, want: full[:]},
		{c: "struct Huge", real: "Huge", value: giant, want: le(giant.Words)},
		{c: "struct Block", real: "Block", value: abi.Raw(full[:]), want: full[:]},
	}
}

// echoSource has a kernel for each of the echoes that writes down the bytes it
// got, with a char in front, which shows that the argument is aligned as C says.
func echoSource(all []echo) string {
	var source strings.Builder
	source.WriteString("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n" + declarations)
	for i, e := range all {
		real := e.real
		if real == "" {
			real = e.c
		}
		fmt.Fprintf(&source, `
extern "C" __global__ void echo%d(char lead, %s v, unsigned char *out, int tail) {
	const unsigned char *p = (const unsigned char *)&v;
	for (int i = threadIdx.x; i < sizeof v; i += blockDim.x) out[i] = p[i];
	if (threadIdx.x == 0) { out[sizeof v] = lead; out[sizeof v + 1] = tail; }
}`, i, real)
	}
	return source.String()
}

// launch gives the echo's value to its kernel.
func (e echo) launch(t *testing.T, dev *rtc.Device, mod *rtc.Module, i int, out *rtc.Array) {
	t.Helper()
	k, err := mod.Kernel(fmt.Sprintf("echo%d", i), "char lead, "+e.c+" v, uint8_t *out, int tail")
	require.NoError(t, err)
	require.NoError(t, k.Launch(dev, rtc.Dim(1), rtc.Dim(64), 0, int8(-3), e.value, out, 77))
}

// check compares what came back with what was to come.
func (e echo) check(t *testing.T, got []byte) {
	t.Helper()
	got = bytes.Clone(got)
	for _, b := range e.blank {
		clear(got[b[0]:b[1]])
	}
	assert.Equal(t, e.want, got)
}

// headers reports whether CUDA's headers are where the compiler takes them from.
func headers(t *testing.T) bool {
	_, err := compiler(t).IncludeDirs()
	return err == nil
}

// TestEcho gives each kind of argument to a kernel on the GPU.
func TestEcho(t *testing.T) {
	dev := gpu(t)
	if dev.Simulated() && !headers(t) {
		t.Skip("CUDA's headers of this NVRTC are not here")
	}
	all := echoes()
	mod := compile(t, echoSource(all), rtc.ModuleConfig{Name: "echo.cu"})
	for i, e := range all {
		t.Run(fmt.Sprintf("%s/%d", e.c, i), func(t *testing.T) {
			out, err := rtc.Zeros[uint8](dev, len(e.want)+2)
			require.NoError(t, err)
			defer out.Close()
			e.launch(t, dev, mod, i, out)
			got, err := rtc.ToSlice[uint8](out)
			require.NoError(t, err)
			assert.Equal(t, []byte{0xFD, 77}, got[len(e.want):], "what stands around it")
			e.check(t, got[:len(e.want)])
		})
	}
}
