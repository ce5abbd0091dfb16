package dl

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// expected is the i-th argument that abi.c's args functions want.
func expected(i int) uintptr { return uintptr(0x8123456789abcdef + uint64(i)*0x9e3779b97f4a7c15) }

// goArgs is args<n> in Go.
func goArgs(n int) func([]uintptr) uintptr {
	return func(args []uintptr) uintptr {
		bad := uintptr(1) << 63
		for i := range n {
			if args[i] != expected(i) {
				bad |= 1 << i
			}
		}
		return bad
	}
}

func TestArgumentsCross(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 32} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			for _, f := range []*Func{abiFunc(t, fmt.Sprintf("args%d", n)), {Go: goArgs(n)}} {
				args := make([]uintptr, n)
				for i := range args {
					args[i] = expected(i)
				}
				require.EqualValues(t, uintptr(1)<<63, f.Call(args...))
				for i := range min(n, 31) {
					args[i]++
					require.EqualValues(t, uintptr(1)<<63|1<<i, f.CallSlice(args), "argument %d is another", i)
					args[i]--
				}
				require.EqualValues(t, uintptr(1)<<63, f.CallSlice(args), "the callee keeps its hands off the slice")
			}
		})
	}
}

// The launch: 11 arguments, of which 5 go over the stack on amd64 and 3 on
// arm64, where the narrow ones still take 8 bytes each.
func TestLaunchArguments(t *testing.T) {
	type launch struct {
		f              uint64
		grid, block    [3]uint32
		shared, _      uint32
		stream, params uint64
	}
	const dirt = 0xdeadbeef << 32 // what stands above a 32-bit value must not matter
	got := new(launch)
	r := abiFunc(t, "launch").Call(1<<63|1, dirt|math.MaxUint32, dirt|2, dirt|3, dirt|1024, dirt|5, dirt|6, dirt|232448,
		1<<48+7, math.MaxUint64, uintptr(unsafe.Pointer(got)))
	assert.EqualValues(t, -719, int32(r))
	assert.Equal(t, launch{f: 1<<63 | 1, grid: [3]uint32{math.MaxUint32, 2, 3}, block: [3]uint32{1024, 5, 6},
		shared: 232448, stream: 1<<48 + 7, params: math.MaxUint64}, *got)
}

func TestNegativeAndNarrowValues(t *testing.T) {
	negate, negate64, low8 := abiFunc(t, "negate"), abiFunc(t, "negate64"), abiFunc(t, "low8")
	for _, x := range []int32{0, 1, -1, math.MaxInt32, -math.MaxInt32, math.MinInt32} {
		assert.Equal(t, -x, int32(negate.Call(uintptr(x))))
		assert.Equal(t, -int64(x), int64(negate64.Call(uintptr(x))))
	}
	assert.Equal(t, int64(math.MinInt64+1), int64(negate64.Call(math.MaxInt64)))
	assert.Equal(t, uint8(0xfe), uint8(low8.Call(0xffffff_fe)))
}

func TestOutPointers(t *testing.T) {
	i, u, p, text := new(int32), new(uint64), new(uintptr), make([]byte, 9)
	text[8] = 'y'
	r := abiFunc(t, "fill").Call(uintptr(unsafe.Pointer(i)), uintptr(unsafe.Pointer(u)), uintptr(unsafe.Pointer(p)),
		uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)-1))
	assert.EqualValues(t, 8, r)
	assert.EqualValues(t, -7, *i)
	assert.EqualValues(t, uint64(math.MaxUint64-1), *u)
	assert.Equal(t, uintptr(unsafe.Pointer(i)), *p)
	assert.Equal(t, "xxxxxxx\x00y", string(text))
}

func TestStringsCross(t *testing.T) {
	length, name, list := abiFunc(t, "length"), abiFunc(t, "name"), abiFunc(t, "strings")
	for _, s := range []string{"", "a", "größe ∞", strings.Repeat("long ", 100_000)} {
		b, err := CString(s)
		require.NoError(t, err)
		assert.EqualValues(t, len(s), length.Call(uintptr(unsafe.Pointer(&b[0]))))
	}
	assert.Equal(t, uintptr(math.MaxUint64), length.Call(0))
	assert.Equal(t, []string{"", "CUDA_SUCCESS", "a name of more than sixteen bytes, ending in é", ""},
		[]string{GoString(name.Call(0)), GoString(name.Call(1)), GoString(name.Call(2)), GoString(name.Call(99))})

	var words []*byte
	for _, s := range []string{"a", "", "ccc"} {
		b, _ := CString(s)
		words = append(words, &b[0])
	}
	assert.EqualValues(t, 1_00_03, list.Call(uintptr(len(words)), uintptr(unsafe.Pointer(&words[0]))))
}

func TestCStringRefusesNUL(t *testing.T) {
	_, err := CString("ab\x00c")
	assert.EqualError(t, err, "dl: C string: NUL byte at offset 2 of 4")
}

var grow = NewCallback(1, func(args []uintptr) uintptr { return uintptr(framesDeep(int(args[0]))) })

// framesDeep needs n frames of a kilobyte, so that the goroutine's stack moves.
func framesDeep(n int) int {
	var frame [1024]byte
	if n == 0 {
		return int(frame[0])
	}
	frame[n%1024] = 1
	return framesDeep(n-1) + bits.OnesCount8(frame[n%1024])
}

// A callee that runs Go code may move the stack of the goroutine that called
// it. What Call was given must not have been there.
func TestOutPointerWhileTheStackMoves(t *testing.T) {
	f := abiFunc(t, "call_back")
	word, err := grow.For(f)
	require.NoError(t, err)
	for range 10 {
		done := make(chan [2]int64)
		go func() { // a new goroutine has a small stack
			var out int64
			r := f.Call(word, 3000, uintptr(unsafe.Pointer(&out)))
			done <- [2]int64{int64(r), out}
		}()
		assert.Equal(t, [2]int64{3000, 42}, <-done)
		runtime.GC()
	}
}

func TestCallSliceAllocatesNothing(t *testing.T) {
	for _, f := range []*Func{abiFunc(t, "args11"), {Go: goArgs(11)}} {
		args := make([]uintptr, 11)
		for i := range args {
			args[i] = expected(i)
		}
		var sum uintptr
		assert.Zero(t, testing.AllocsPerRun(1000, func() { sum |= f.CallSlice(args) }))
		assert.EqualValues(t, uintptr(1)<<63, sum)
	}
}
