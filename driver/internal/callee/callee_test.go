package callee_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/internal/callee"
)

func TestWords(t *testing.T) {
	v := new([3]uint32)
	p := callee.Address(v)
	callee.Put(p+4, uint32(7))
	callee.Put(0, uint32(9))
	require.Equal(t, [3]uint32{0, 7, 0}, *v)
	require.Equal(t, uint32(7), *callee.At[uint32](p + 4))
	require.Equal(t, []uint32{7, 0}, callee.Slice[uint32](p+4, 2))
	require.Empty(t, callee.Slice[uint32](0, 0))
	runtime.KeepAlive(v)
}

// Goroutines that are locked to threads at the same time have numbers of their own, the same at every call.
func TestThread(t *testing.T) {
	const n = 8
	numbers, end := make(chan int), make(chan struct{})
	for range n {
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			first := callee.Thread()
			runtime.Gosched()
			if callee.Thread() != first {
				first = 0
			}
			numbers <- first
			<-end
		}()
	}
	seen := map[int]bool{}
	for range n {
		seen[<-numbers] = true
	}
	close(end)
	require.Len(t, seen, n)
	require.NotContains(t, seen, 0)
}
