//go:build linux && (amd64 || arm64)

package child

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/purecuda/purecuda/rtc/child/jail"
)

// A starter is a thread that starts all children and never ends: the system
// kills a child when the thread that started it ends.
var starter = sync.OnceValue(func() chan<- func() {
	jobs := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range jobs {
			f()
		}
	}()
	return jobs
})

func onStarter(f func()) {
	done := make(chan struct{})
	starter() <- func() { defer close(done); f() }
	<-done
}

func start(c Config) (*Process, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	stderr, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer write.Close()
	attr := &os.ProcAttr{
		Dir:   c.Dir,
		Env:   append([]string{}, c.Env...), // nil would be all of this process's
		Files: append([]*os.File{null, null, write}, c.Files...),
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	}
	if c.Namespaces {
		if err := jail.Namespaces(attr.Sys); err != nil {
			return nil, errors.Join(err, stderr.Close())
		}
	}
	if attr.Dir == "" {
		attr.Dir = "/"
	}
	if len(c.Args) == 0 {
		c.Args = []string{c.Path}
	}
	p := &Process{stderr: &ends{}, done: make(chan struct{})}
	onStarter(func() {
		var unasked []*os.File
		if unasked, err = closed(len(attr.Files)); err != nil {
			return
		}
		attr.Files = append(attr.Files, unasked...)
		p.process, err = os.StartProcess(c.Path, c.Args, attr)
	})
	var at *fs.PathError
	if errors.As(err, &at) && at.Err == syscall.EBADF {
		// The files are moved out of each other's way before they get their numbers,
		// and the system calls one beyond the limit bad.
		at.Err = fmt.Errorf("%w: descriptor %d is open, and a start needs numbers beyond it", syscall.EMFILE, highest(attr.Files))
	}
	if err != nil {
		_ = stderr.Close()
		return nil, err
	}
	p.group = group(p.process.Pid)
	heard := p.listen(stderr)
	go p.watch(stderr, heard)
	if err := c.Limits.apply(p.process.Pid); err != nil {
		p.Kill()
		<-p.done
		return nil, err
	}
	return p, nil
}

// highest is the highest number that is in the way of a child's files.
func highest(files []*os.File) int {
	most := len(files) - 1
	for _, f := range files {
		most = max(most, int(f.Fd())) // of none, that is less than 0
	}
	return most
}

// closed is an entry for each descriptor from number from on that the child would
// get unasked: what C libraries, or who started this process, opened without
// close-on-exec. An entry that is nil has it closed in the child.
func closed(from int) ([]*os.File, error) {
	folder, err := os.Open("/proc/self/fd")
	if errors.Is(err, fs.ErrNotExist) { // no /proc
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	most := from
	for _, name := range names {
		fd, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		flags, _, e := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
		if e == 0 && flags&syscall.FD_CLOEXEC == 0 {
			most = max(most, fd+1)
		}
	}
	return make([]*os.File, most-from), nil
}

// watch waits for the child's end and clears up after it.
func (p *Process) watch(stderr *os.File, heard <-chan struct{}) {
	pid := p.process.Pid
	// It stays a zombie until the lock is held, so that Kill can't hit a process
	// that has got its number, and its group is killed with it.
	const byPID, exited, leave = 1, syscall.WEXITED, 0x01000000 // P_PID, WNOWAIT
	for {
		_, _, e := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(pid), 0, exited|leave, 0, 0)
		if e != syscall.EINTR {
			break
		}
	}
	p.mu.Lock()
	p.group.kill()
	state, err := p.process.Wait()
	p.gone = true
	p.exit.Killed = p.killed
	p.mu.Unlock()
	_ = stderr.SetReadDeadline(time.Now().Add(silence))
	<-heard
	p.exit.Stderr = p.stderr.String()
	if err != nil { // somebody else has waited for it
		p.exit.Code = -1
		p.exit.Stderr += fmt.Sprintf("\n[how it ended is not known: %v]", err)
	} else {
		p.exit.read(state)
	}
	close(p.done)
}

func (e *Exit) read(state *os.ProcessState) {
	e.Code = state.ExitCode()
	e.CPU = state.UserTime() + state.SystemTime()
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		e.Signal = status.Signal()
	}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		e.Memory = usage.Maxrss << 10
	}
}

// A group is a process group, by the number of the child, who leads it.
type group int

func (g group) kill() {
	err := syscall.Kill(-int(g), syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		_ = syscall.Kill(int(g), syscall.SIGKILL)
	}
}
