package engine

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// This file is the one that sees memory as words. The rule it relies on: bytes of an [Allocation] and of shared memory come from
// alignedBytes, so they lie in an array of 64-bit words whose first byte is theirs. A place in them that is a multiple of a word's
// size from the first byte is such a word, whole, even where the allocation ends within it. Callers have checked the alignment.

// alignedBytes makes n zero bytes at an address that is a multiple of 8.
func alignedBytes(n int64) []byte {
	words := make([]uint64, (n+7)/8)
	if n == 0 {
		return nil
	}
	// The bytes are those of words, which the slice keeps alive.
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
}

// bigEndian says that the host's words are the other way round than the device's.
const bigEndian = runtime.GOARCH == "s390x" || runtime.GOARCH == "ppc64" || runtime.GOARCH == "mips" || runtime.GOARCH == "mips64"

func device32(v uint32) uint32 {
	if bigEndian {
		return bits.ReverseBytes32(v)
	}
	return v
}

func device64(v uint64) uint64 {
	if bigEndian {
		return bits.ReverseBytes64(v)
	}
	return v
}

// change32 makes the word at the begin of b what f makes of it, in one step as other goroutines see it. It returns what it was.
func change32(b []byte, f func(old, x, y uint32) uint32, x, y uint32) uint32 {
	p := (*uint32)(unsafe.Pointer(&b[0]))
	for {
		was := atomic.LoadUint32(p)
		old := device32(was)
		if atomic.CompareAndSwapUint32(p, was, device32(f(old, x, y))) {
			return old
		}
	}
}

// add32 is change32 for an addition.
func add32(b []byte, x uint32) uint32 {
	if bigEndian {
		return change32(b, func(old, x, _ uint32) uint32 { return old + x }, x, 0)
	}
	return atomic.AddUint32((*uint32)(unsafe.Pointer(&b[0])), x) - x
}

// change64 is change32 for a word of 64 bits.
func change64(b []byte, f func(old, x, y uint64) uint64, x, y uint64) uint64 {
	p := (*uint64)(unsafe.Pointer(&b[0]))
	for {
		was := atomic.LoadUint64(p)
		old := device64(was)
		if atomic.CompareAndSwapUint64(p, was, device64(f(old, x, y))) {
			return old
		}
	}
}

// change16 is change32 for half a word. The other half is written back as it is at that moment.
func change16(b []byte, f func(old, x, y uint32) uint32, x, y uint32) uint32 {
	at := unsafe.Pointer(&b[0])
	second := uintptr(at) & 2 // the word begins that many bytes before, in the same array
	p := (*uint32)(unsafe.Add(at, -int(second)))
	shift := 8 * second
	for {
		was := atomic.LoadUint32(p)
		word := device32(was)
		old := word >> shift & 0xffff
		word = word&^(0xffff<<shift) | f(old, x, y)&0xffff<<shift
		if atomic.CompareAndSwapUint32(p, was, device32(word)) {
			return old
		}
	}
}
