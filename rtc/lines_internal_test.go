package rtc

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// TestCacheLines: what launches look at lies in as few cache lines as it has bytes
// for. Go's allocator has sizes whose objects begin anywhere in a line; a Stream of
// another size needs other padding.
func TestCacheLines(t *testing.T) {
	for range 100 {
		s := new(Stream)
		assert.Zero(t, uintptr(unsafe.Pointer(s))%64, "a Stream of %d bytes", unsafe.Sizeof(*s))
		kept = append(kept, s)
	}
	kept = nil
}

var kept []*Stream // so that each is another, on the heap
