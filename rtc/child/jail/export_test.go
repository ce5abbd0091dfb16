//go:build linux && (amd64 || arm64)

package jail

import "syscall"

// Passing are the numbers of all calls that can pass.
func Passing() []uint32 {
	list := append([]uint32{syscall.SYS_FUTEX, syscall.SYS_MADVISE, syscall.SYS_MMAP, syscall.SYS_MPROTECT, syscall.SYS_CLONE, syscall.SYS_KILL, syscall.SYS_TGKILL, sysPrlimit64,
		syscall.SYS_FCNTL, syscall.SYS_OPENAT}, always...)
	return append(list, names...)
}
