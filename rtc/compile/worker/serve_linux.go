//go:build linux && (amd64 || arm64)

package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/child/jail"
	"github.com/purecuda/purecuda/rtc/compile"
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
		// The first message says that the limits are in force.
		if _, err := readFrame(requests, 0); err != nil {
			return fmt.Errorf("this process is not started by a Pool: %w", err)
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

// warmUp uses of NVRTC what most sources do.
const warmUp = `extern "C" __global__ void warmup(float *x) { x[threadIdx.x] = sinf(x[threadIdx.x]); }`

// runner is what compiles in a worker.
var runner compile.Runner = compile.InProcess{}

// serve compiles what it is asked to, until the requests end.
func (s setup) serve(requests, answers *os.File) error {
	if err := raiseStack(); err != nil {
		return err
	}
	incoming := make(chan []byte)
	go func() {
		for {
			b, err := readFrame(requests, mostFrame)
			if err != nil {
				os.Exit(0) // who started this has ended, or wants it to; NVRTC may be busy
			}
			incoming <- b
		}
	}()
	// NVRTC finds them if they are there; the folder can't be listed any more.
	for _, name := range s.read {
		if strings.HasPrefix(filepath.Base(name), builtins) {
			_, _ = dl.Open(name)
		}
	}
	compiler, err := nvrtc.Open(nvrtc.Config{Path: s.library, OnCaller: true})
	if err != nil {
		return err
	}
	// What the first compile loads is there before files and calls are out of reach.
	if _, err := (compile.InProcess{}).Run(context.Background(), &compile.Request{Compiler: compiler, Source: warmUp, Name: "warmup.cu"}); err != nil {
		return fmt.Errorf("a first compile: %w", err)
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
	if err := writeFrame(answers, pack(msgHello, protocol, compiler.Version().String(), compiler.Build())); err != nil {
		return err
	}
	for b := range incoming {
		if err := writeFrame(answers, answer(compiler, b)); err != nil {
			return err
		}
	}
	return nil
}

// answer is the answer to a message.
func answer(compiler *nvrtc.Compiler, b []byte) []byte {
	parts, err := unpack(b)
	switch {
	case err != nil || len(parts) == 0:
		return pack(msgError, "no message")
	case string(parts[0]) == msgPing:
		return b
	case string(parts[0]) != msgCompile:
		return pack(msgError, fmt.Sprintf("an unknown message %.20q", parts[0]))
	}
	r, err := decodeRequest(parts[1:])
	if err != nil {
		return pack(msgError, err.Error())
	}
	r.Compiler = compiler
	return encodeAnswer(runner.Run(context.Background(), r))
}
