//go:build (darwin || freebsd || linux || netbsd || windows) && (amd64 || arm64)

package dl

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/assert"
)

// A call through this package costs at most a fifth more than purego.SyscallN,
// and less where it has a trampoline of its own: blocks of both in turn, their
// 10th percentiles compared.
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
	var bare, ours []time.Duration
	for range 400 {
		bare = append(bare, block(func() { purego.SyscallN(f.Addr, args[:]...) }))
		ours = append(ours, block(func() { f.CallSlice(args[:]) }))
	}
	slices.Sort(bare)
	slices.Sort(ours)
	ratio := float64(ours[40]) / float64(bare[40])
	t.Logf("bare %v, CallSlice %v: %.3f", bare[40]/500, ours[40]/500, ratio)
	bound := 1.2
	if runtime.GOOS == "linux" {
		bound = 0.8
	}
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
