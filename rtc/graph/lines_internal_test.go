package graph

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// TestCacheLines: what a replay looks at lies in as few cache lines as it has bytes
// for, as in package rtc.
func TestCacheLines(t *testing.T) {
	for range 100 {
		g, x := new(Graph), new(Exec)
		assert.Zero(t, uintptr(unsafe.Pointer(g))%64, "a Graph of %d bytes", unsafe.Sizeof(*g))
		assert.Zero(t, uintptr(unsafe.Pointer(x))%64, "an Exec of %d bytes", unsafe.Sizeof(*x))
		kept = append(kept, g, x)
	}
	kept = nil
}

var kept []any // so that each is another, on the heap
