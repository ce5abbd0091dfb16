//go:build linux && (amd64 || arm64)

package child_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/purecuda/purecuda/rtc/child"
)

// roleVariable has the test binary, started again, be a child.
const roleVariable = "PURECUDA_CHILD_TEST_ROLE"

var roles = map[string]func(){
	"exit":   func() { fmt.Fprint(os.Stderr, "goodbye"); os.Exit(7) },
	"signal": func() { _ = syscall.Kill(os.Getpid(), syscall.SIGTERM); time.Sleep(time.Minute) },
	"spin": func() {
		for n := 0; n >= 0; n = (n + 1) & 0xffff {
		}
	},
	"talk": func() { fmt.Fprint(os.Stderr, "first"+strings.Repeat("x", 100_000)+"last") },
	"environment": func() {
		folder, _ := os.Getwd()
		fmt.Fprint(os.Stderr, len(os.Environ()), " ", folder)
	},
	"write": func() {
		waitForWord()
		signal.Ignore(syscall.SIGXFSZ)
		err := os.WriteFile(os.Args[1], []byte("x"), 0o600)
		fmt.Fprint(os.Stderr, err)
	},
	// memory asks the system itself: of Go's runtime, and of the race detector's,
	// each has words of its own for being refused.
	"memory": func() {
		fmt.Fprintln(os.NewFile(3, "out"), os.Getpid()) // it has begun
		waitForWord()
		_, err := syscall.Mmap(-1, 0, 1<<30, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
		if err != nil {
			fmt.Fprint(os.Stderr, err)
			return
		}
		fmt.Fprint(os.Stderr, "it has 1 GiB")
	},
	"limits": func() {
		waitForWord()
		limit := func(which int) string {
			var l syscall.Rlimit
			_ = syscall.Getrlimit(which, &l)
			return fmt.Sprintf("%d %d", l.Cur, l.Max)
		}
		fmt.Fprintf(os.Stderr, "core %s, files %s", limit(syscall.RLIMIT_CORE), limit(syscall.RLIMIT_NOFILE))
	},
	"who": func() { fmt.Fprint(os.Stderr, os.Getuid(), os.Getpid(), os.Getppid()) },
	// descriptors are those that it began with: of its own, the lowest are free
	// again, the runtime's have CLOEXEC and this one is in no list of itself.
	"descriptors": func() {
		var has []string
		for fd := range 1000 {
			flags, _, e := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
			if e == 0 && flags&syscall.FD_CLOEXEC == 0 {
				has = append(has, fmt.Sprint(fd))
			}
		}
		fmt.Fprint(os.Stderr, strings.Join(has, " "))
	},
	// family has a child of its own, in its group, and tells its number.
	"family": func() {
		c := exec.Command("/proc/self/exe")
		c.Env = []string{roleVariable + "=sleep"}
		if err := c.Start(); err != nil {
			panic(err)
		}
		fmt.Fprintln(os.NewFile(3, "out"), c.Process.Pid)
		time.Sleep(time.Minute)
	},
	"sleep": func() { time.Sleep(time.Minute) },
	// parent starts a child and ends without a word to it.
	"parent": func() {
		p, err := child.Start(child.Config{Path: "/proc/self/exe", Env: []string{roleVariable + "=sleep"}, Namespaces: os.Args[1] != ""})
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(os.NewFile(3, "out"), p.PID())
		waitForWord()
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	},
}

// waitForWord waits until descriptor 4 has something to read.
func waitForWord() { _, _ = os.NewFile(4, "word").Read(make([]byte, 1)) }

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		roles[role]()
		os.Exit(0)
	}
	m.Run()
}
