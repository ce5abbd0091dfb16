package drivertest

import "syscall"

// threads says whether thread tells threads apart.
const threads = true

var getCurrentThreadID = syscall.NewLazyDLL("kernel32.dll").NewProc("GetCurrentThreadId")

func thread() int {
	id, _, _ := getCurrentThreadID.Call()
	return int(id)
}
