package callee

import "syscall"

var getCurrentThreadID = syscall.NewLazyDLL("kernel32.dll").NewProc("GetCurrentThreadId")

// Thread is a number of the thread that runs the calling goroutine.
func Thread() int {
	id, _, _ := getCurrentThreadID.Call()
	return int(id)
}
