//go:build !linux && !windows

package callee

import "runtime"

// Thread is the number of the calling goroutine, on systems that give a thread's number to C alone. It does as well for
// callers that lock the goroutine to its thread as long as what belongs to the thread matters, as package driver does.
func Thread() int {
	// "goroutine 18 [running]:"
	var buf [64]byte
	n := 0
	for _, c := range buf[:runtime.Stack(buf[:], false)] {
		switch {
		case c >= '0' && c <= '9':
			n = 10*n + int(c-'0')
		case n > 0:
			return n
		}
	}
	return n
}
