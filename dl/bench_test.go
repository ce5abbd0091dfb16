//go:build (darwin || freebsd || linux || netbsd || windows) && (amd64 || arm64)

package dl

import (
	"runtime"
	"testing"
	"time"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/assert"
)

// A call through this package costs at most a fifth more than purego.SyscallN,
// and less where it has a trampoline of its own: short blocks of both in turn,
// of which the quickest count, the rest being other programs' noise.
func TestCallOverhead(t *testing.T) {
	f := abiFunc(t, "args11")
	var args [11]uintptr
	block := func(call func()) time.Duration {
		start := time.Now()
		for range 500 {
			call()
		}
		return time.Since(start)
	}
	bound := 1.2
	if runtime.GOOS == "linux" {
		bound = 0.8
	}
	bare, ours := time.Hour, time.Hour
	ratio := bound
	for try := 0; try < 10 && ratio >= bound; try++ {
		for range 200 {
			bare = min(bare, block(func() { purego.SyscallN(f.Addr, args[:]...) }))
			ours = min(ours, block(func() { f.CallSlice(args[:]) }))
		}
		ratio = float64(ours) / float64(bare)
	}
	t.Logf("bare %v, CallSlice %v: %.3f", bare/500, ours/500, ratio)
	assert.Less(t, ratio, bound)
}

// What a call of 11 arguments costs here, and bare, without this package.
func BenchmarkCall(b *testing.B) {
	f := abiFunc(b, "args11")
	var args [11]uintptr
	for i := range args {
		args[i] = expected(i)
	}
	b.Run("bare", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			purego.SyscallN(f.Addr, args[:]...)
		}
	})
	b.Run("slice", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f.CallSlice(args[:])
		}
	})
	b.Run("call", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f.Call(args[0], args[1], args[2], args[3], args[4], args[5], args[6], args[7], args[8], args[9], args[10])
		}
	})
	b.Run("go", func(b *testing.B) {
		g := Func{Go: goArgs(11)}
		b.ReportAllocs()
		for b.Loop() {
			g.CallSlice(args[:])
		}
	})
}

// A Call is what the hottest path uses: quicker than CallSlice, and nothing is
// allocated.
func TestCallDo(t *testing.T) {
	for _, f := range []*Func{abiFunc(t, "args11"), {Go: goArgs(11)}} {
		args := make([]uintptr, 11)
		for i := range args {
			args[i] = expected(i)
		}
		c := NewCall(f, args...)
		assert.EqualValues(t, uintptr(1)<<63, c.Do())
		c.Words()[8]++
		assert.EqualValues(t, uintptr(1)<<63|1<<8, c.Do())
		assert.Zero(t, testing.AllocsPerRun(100, func() { c.Do() }))
	}
}

// Two calls one behind the other, in C and in Go: the second is made when the
// low half of the first one's result is 0, with arguments of its own.
func TestCallDoThen(t *testing.T) {
	args := func(n int) []uintptr {
		words := make([]uintptr, n)
		for i := range words {
			words[i] = expected(i)
		}
		return words
	}
	const good = uintptr(1) << 63
	for _, first := range []*Func{abiFunc(t, "args11"), {Go: goArgs(11)}} {
		for n, seconds := range map[int][]*Func{
			2:  {abiFunc(t, "args2"), {Go: goArgs(2)}},
			12: {abiFunc(t, "args12"), {Go: goArgs(12)}},
		} {
			for _, second := range seconds {
				a, b := NewCall(first, args(11)...), NewCall(second, args(n)...)
				both := func() [2]uintptr {
					r, then := a.DoThen(b)
					return [2]uintptr{r, then}
				}
				assert.Equal(t, [2]uintptr{good, good}, both())
				a.Words()[10]++
				assert.Equal(t, [2]uintptr{good | 1<<10, 0}, both(), "the first fails")
				a.Words()[10]--
				b.Words()[1]++
				assert.Equal(t, [2]uintptr{good, good | 2}, both(), "the second fails")
				assert.Equal(t, good, a.Do(), "without the second")
				assert.Equal(t, good|2, b.Do())
				assert.Zero(t, testing.AllocsPerRun(100, func() { a.DoThen(b) }))
			}
		}
	}
}
