//go:build amd64 || arm64

package dl

import (
	"fmt"
	"syscall"
)

var kernel32CreateThread = syscall.NewLazyDLL("kernel32.dll").NewProc("CreateThread")

// The size is the address space to reserve, not memory to commit at once.
const stackSizeParamIsAReservation = 0x10000

// Go's runtime ends the process ("bad g0 stack") when Go code runs on a thread
// with more.
const mostStack = 64 << 20

func createThread(start, arg uintptr, stack int) error {
	h, _, err := kernel32CreateThread.Call(0, uintptr(min(stack, mostStack)), start, arg, stackSizeParamIsAReservation, 0)
	if h == 0 {
		return fmt.Errorf("CreateThread: %w", err)
	}
	return syscall.CloseHandle(syscall.Handle(h)) // the thread goes on
}
