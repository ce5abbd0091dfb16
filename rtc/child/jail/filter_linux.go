//go:build amd64 || arm64

package jail

import "syscall"

const (
	refused     = fail | uint32(syscall.EACCES)
	unknown     = fail | uint32(syscall.ENOSYS)
	mapExec     = syscall.PROT_EXEC
	x32         = 0x40000000 // in the number of a call of amd64's other interface
	stackLimit  = syscall.RLIMIT_STACK
	readingOnly = ^uint32(syscall.O_CLOEXEC | syscall.O_NONBLOCK | syscall.O_NOCTTY | syscall.O_DIRECTORY | syscall.O_NOFOLLOW)

	futexFlags = 128 | 256 // FUTEX_PRIVATE_FLAG, FUTEX_CLOCK_REALTIME

	cloneThread = syscall.CLONE_THREAD
	// What Go's runtime and C libraries make threads with: no namespaces, and the
	// kernel wants CLONE_VM and CLONE_SIGHAND where CLONE_THREAD is.
	cloneFlags = syscall.CLONE_VM | syscall.CLONE_FS | syscall.CLONE_FILES | syscall.CLONE_SIGHAND | syscall.CLONE_THREAD |
		syscall.CLONE_SYSVSEM | syscall.CLONE_SETTLS | syscall.CLONE_PARENT_SETTID | syscall.CLONE_CHILD_CLEARTID | syscall.CLONE_DETACHED
)

// program is the filter of a process. Calls that are made most often come first.
func (f Filter) program(pid int) []instruction {
	p := []instruction{
		{code: bpfLoad, k: dataArch},
		{code: bpfIfEqual, yes: 1, k: auditArch},
		{code: bpfReturn, k: killProcess},
		{code: bpfLoad, k: dataNumber},
		{code: bpfIfBits, no: 1, k: x32},
		{code: bpfReturn, k: killProcess},
	}
	oneOf := func(n, mask uint32, values ...uint32) (ways [][]check) {
		for _, v := range values {
			ways = append(ways, []check{low(n, mask, v)})
		}
		return ways
	}
	own := func(n uint32) []check { return []check{low(n, all, uint32(pid))} }
	for _, r := range []rule{
		{syscall.SYS_FUTEX, oneOf(1, ^uint32(futexFlags), 0, 1, 9, 10)}, // (word, what, …): wait, wake, and both with bits
		// (address, size, advice): none that has pages be compared with those of other processes
		{syscall.SYS_MADVISE, oneOf(2, all, 3, 4, 8, 14, 15, 16, 17, 25, 102, 103)},
		{syscall.SYS_MMAP, [][]check{{low(2, mapExec, 0)}}},     // (address, size, protection, …)
		{syscall.SYS_MPROTECT, [][]check{{low(2, mapExec, 0)}}}, // (address, size, protection)
		{syscall.SYS_CLONE, [][]check{{low(0, ^uint32(cloneFlags), 0), low(0, cloneThread, cloneThread)}}},
		{syscall.SYS_KILL, [][]check{own(0)}},
		{syscall.SYS_TGKILL, [][]check{own(0)}},
		{sysPrlimit64, [][]check{ // (process, limit, new, old): the soft limit of the stack is set by NVRTC
			append(null(2), low(0, all, 0)),
			append(null(2), own(0)...),
			{low(0, all, 0), low(1, all, stackLimit)},
			append(own(0), low(1, all, stackLimit)),
		}},
		// (descriptor, what, …): no owner, who'd get signals
		{syscall.SYS_FCNTL, oneOf(1, all, syscall.F_GETFL, syscall.F_SETFL, syscall.F_GETFD, syscall.F_SETFD)},
	} {
		p = r.appendTo(p, refused)
	}
	for _, number := range always {
		p = rule{number: number}.appendTo(p, refused)
	}
	if f.Open {
		p = rule{number: syscall.SYS_OPENAT, ways: [][]check{{low(2, readingOnly, 0)}}}.appendTo(p, refused)
		for _, number := range names {
			p = rule{number: number}.appendTo(p, refused)
		}
	}
	p = append(p,
		instruction{code: bpfIfEqual, no: 1, k: sysClone3},
		instruction{code: bpfReturn, k: unknown},
		instruction{code: bpfReturn, k: refused})
	return p
}

// always are the calls that pass whatever their arguments.
var always = append([]uint32{
	syscall.SYS_NANOSLEEP, syscall.SYS_EPOLL_PWAIT, syscall.SYS_SCHED_YIELD,
	syscall.SYS_READ, syscall.SYS_WRITE, syscall.SYS_WRITEV, syscall.SYS_PREAD64, syscall.SYS_LSEEK, syscall.SYS_CLOSE, syscall.SYS_FSTAT,
	syscall.SYS_MUNMAP, syscall.SYS_MREMAP, syscall.SYS_BRK,
	syscall.SYS_RT_SIGACTION, syscall.SYS_RT_SIGPROCMASK, syscall.SYS_RT_SIGRETURN, syscall.SYS_SIGALTSTACK,
	syscall.SYS_GETPID, syscall.SYS_GETTID, syscall.SYS_GETCWD, syscall.SYS_SYSINFO, syscall.SYS_GETRUSAGE, syscall.SYS_SCHED_GETAFFINITY,
	syscall.SYS_CLOCK_GETTIME, syscall.SYS_CLOCK_GETRES, syscall.SYS_CLOCK_NANOSLEEP, syscall.SYS_GETTIMEOFDAY,
	syscall.SYS_EPOLL_CREATE1, syscall.SYS_EPOLL_CTL, syscall.SYS_EVENTFD2,
	syscall.SYS_SET_ROBUST_LIST, syscall.SYS_RESTART_SYSCALL, syscall.SYS_EXIT, syscall.SYS_EXIT_GROUP,
	sysRseq, sysGetrandom,
}, alwaysHere...)
