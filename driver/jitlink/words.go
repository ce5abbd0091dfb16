package jitlink

import "unsafe"

// firstByte is the address of b's first byte, null for an empty b. What it
// points to stays reachable through b in the caller.
func firstByte(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }
