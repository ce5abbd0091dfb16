package engine

import "unsafe"

// alignedBytes makes n zero bytes at an address that is a multiple of 8, as atomic operations on words in them need.
func alignedBytes(n int64) []byte {
	words := make([]uint64, (n+7)/8)
	if n == 0 {
		return nil
	}
	// The bytes are those of words, which the slice keeps alive; any 8-aligned bytes may be seen as bytes.
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
}
