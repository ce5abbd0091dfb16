//go:build (darwin || freebsd || linux || netbsd || windows) && (amd64 || arm64)

package dl

import (
	"testing"

	"github.com/ebitengine/purego"
)

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
