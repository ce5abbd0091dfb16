//go:build linux && (amd64 || arm64)

package worker

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/child/jail"
)

// The descriptors of a worker. What libraries print goes to 0, 1 and 2.
const (
	requestsFD = 3
	answersFD  = 4
)

// run is the life of a worker.
func (s setup) run() error {
	if syscall.Gettid() != syscall.Getpid() {
		return errors.New("worker.Main was not called by the main goroutine: it belongs first in main")
	}
	requests, answers := os.NewFile(requestsFD, "requests"), os.NewFile(answersFD, "answers")
	if !s.again {
		if err := present(requests, answers); err != nil {
			return err
		}
		return s.executeAgain()
	}
	return s.serve(requests, answers)
}

// executeAgain begins anew: without descriptors that came along unasked, with a
// bounded stack, and memory laid out as it should be.
func (s setup) executeAgain() error {
	s.again = true
	// An old kernel doesn't know it; child.Start has closed what there was.
	_, _, _ = syscall.RawSyscall(sysCloseRange, answersFD+1, 1<<32-1, closeRangeCLOEXEC)
	// The limit is lowered here: a parent can't do it while its child begins, since
	// the kernel then puts back the old one. The soft limit is not raised before the
	// next image: the C library gives that much to every other thread.
	if err := limitStack(s.stack); err != nil {
		return err
	}
	if s.walls.Landlock > 0 { // of this thread, and of all that it becomes
		if err := jail.Landlock(append(jail.SystemFiles(), s.read...)...); err != nil {
			return err
		}
	}
	// With the old layout of the address space the main stack has room to grow as
	// far as its limit; with today's it has 128 MiB. Some containers forbid it.
	const addrCompatLayout = 0x0200000
	_, _, _ = syscall.RawSyscall(syscall.SYS_PERSONALITY, addrCompatLayout, 0, 0)
	return syscall.Exec("/proc/self/exe", os.Args, s.environment())
}

// serve compiles what it is asked to, until the requests end.
func (s setup) serve(requests, answers *os.File) error {
	if err := raiseStack(); err != nil {
		return err
	}
	incoming := listen(requests)
	// NVRTC finds them if they are there; the folder can't be listed any more.
	for _, name := range s.read {
		if strings.HasPrefix(filepath.Base(name), builtins) {
			_, _ = dl.Open(name)
		}
	}
	compiler, err := begin(nvrtc.Config{Path: s.library, OnCaller: true})
	if err != nil {
		return err
	}
	// This is the thread that compiles: sources have no use for the system's files.
	if s.walls.Landlock > 0 {
		if err := jail.Landlock(s.read...); err != nil {
			return err
		}
	}
	if s.walls.Seccomp {
		if err := jail.Seccomp(jail.Filter{Open: s.walls.Landlock > 0}); err != nil {
			return err
		}
	}
	return respond(compiler, incoming, answers)
}

// selfPath is this program, whatever became of its file.
func selfPath() (string, error) { return "/proc/self/exe", nil }

// isBroken tells of a pipe whose other end is gone.
func isBroken(err error) bool { return errors.Is(err, syscall.EPIPE) }
