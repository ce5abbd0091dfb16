package child

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/purecuda/purecuda/rtc/child/jail"
)

const (
	createSuspended = 0x4
	createNoWindow  = 0x08000000

	processRights = 0x0001 | 0x0100 | 0x0400 | 0x0010 | 0x0800 // terminate, set quota, query, read memory, suspend and resume
)

func start(c Config) (*Process, error) {
	if c.Namespaces {
		if err := jail.Namespaces(nil); err != nil {
			return nil, err
		}
	}
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
	p := &Process{stderr: &ends{}, done: make(chan struct{})}
	handle, err := p.begin(c, []*os.File{null, null, write})
	if err != nil {
		_ = stderr.Close()
		return nil, err
	}
	heard := p.listen(stderr)
	go p.watch(handle, heard)
	return p, nil
}

// begin starts the child so that it waits, and lets it go on in its job.
func (p *Process) begin(c Config, standard []*os.File) (handle syscall.Handle, err error) {
	if p.group, err = newGroup(c.Limits); err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			p.group.close()
		}
	}()
	handles, variable, err := inheritable(c.Files)
	if err != nil {
		return 0, err
	}
	defer closeAll(handles)
	attr := &os.ProcAttr{Dir: c.Dir, Env: append(environment(c.Env), variable), Files: standard, Sys: &syscall.SysProcAttr{
		CreationFlags:              createSuspended | createNoWindow | syscall.CREATE_NEW_PROCESS_GROUP,
		AdditionalInheritedHandles: handles,
		HideWindow:                 true,
	}}
	if attr.Dir == "" {
		attr.Dir = os.Getenv("SystemDrive") + `\`
	}
	if len(c.Args) == 0 {
		c.Args = []string{c.Path}
	}
	if p.process, err = os.StartProcess(c.Path, c.Args, attr); err != nil {
		return 0, err
	}
	// Its number is its own as long as os has a handle of it.
	handle, err = syscall.OpenProcess(processRights, false, uint32(p.process.Pid))
	if err == nil {
		err = p.group.take(handle)
	}
	if err != nil {
		_ = p.process.Kill()
		_, _ = p.process.Wait()
		_ = syscall.CloseHandle(handle)
		return 0, fmt.Errorf("process %d: %w", p.process.Pid, err)
	}
	return handle, nil
}

// environment has what programs on Windows can't do without, too.
func environment(given []string) []string {
	all := append([]string{}, given...)
	for _, s := range given {
		if name, _, _ := strings.Cut(s, "="); strings.EqualFold(name, "SYSTEMROOT") {
			return all
		}
	}
	return append(all, "SYSTEMROOT="+os.Getenv("SYSTEMROOT"))
}

// watch waits for the child's end and clears up after it.
func (p *Process) watch(handle syscall.Handle, heard <-chan struct{}) {
	_, _ = syscall.WaitForSingleObject(handle, syscall.INFINITE)
	state, err := p.process.Wait()
	p.mu.Lock()
	p.group.kill()
	p.gone = true
	p.exit.Killed = p.killed
	p.exit.Memory = p.group.peak()
	p.group.close()
	_ = syscall.CloseHandle(handle)
	p.mu.Unlock()
	select {
	case <-heard:
	case <-time.After(silence): // somebody has a copy of its end of the pipe
	}
	p.exit.Stderr = p.stderr.String()
	if err != nil {
		p.exit.Code = -1
		p.exit.Stderr += fmt.Sprintf("\n[how it ended is not known: %v]", err)
	} else {
		p.exit.Code, p.exit.CPU = state.ExitCode(), state.UserTime()+state.SystemTime()
	}
	close(p.done)
}

// boundMemory is BoundMemory of a child that is there. p.mu is held.
func (p *Process) boundMemory(more int64) error {
	handle, err := syscall.OpenProcess(processRights, false, uint32(p.process.Pid))
	if err != nil {
		return err
	}
	defer syscall.CloseHandle(handle)
	_, has := memory(handle)
	return p.group.boundMemory(has + more)
}

// usage is Usage of a child that is there. p.mu is held.
func (p *Process) usage() (cpu time.Duration, resident int64) {
	handle, err := syscall.OpenProcess(processRights, false, uint32(p.process.Pid))
	if err != nil {
		return 0, 0
	}
	defer syscall.CloseHandle(handle)
	var made, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(handle, &made, &ended, &kernel, &user); err != nil {
		return 0, 0
	}
	ticks := func(t syscall.Filetime) time.Duration {
		return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
	}
	resident, _ = memory(handle)
	return ticks(kernel) + ticks(user), resident
}
