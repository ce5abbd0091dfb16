package callee

import "syscall"

// Thread is a number of the thread that runs the calling goroutine.
func Thread() int { return syscall.Gettid() }
