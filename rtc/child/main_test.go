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
		for {
		}
	},
	"talk": func() { fmt.Fprint(os.Stderr, "first"+strings.Repeat("x", 100_000)+"last") },
	"environment": func() {
		folder, _ := os.Getwd()
		fmt.Fprint(os.Stderr, len(os.Environ()), " ", folder)
	},
	"write": func() {
		signal.Ignore(syscall.SIGXFSZ)
		err := os.WriteFile(os.Args[1], []byte("x"), 0o600)
		fmt.Fprint(os.Stderr, err)
	},
	"memory": func() { b := make([]byte, 1<<30); b[len(b)-1] = 1 },
	"limits": func() {
		waitForWord()
		var l syscall.Rlimit
		_ = syscall.Getrlimit(4, &l)
		fmt.Fprint(os.Stderr, l.Cur, l.Max)
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
		p, err := child.Start(child.Config{Path: "/proc/self/exe", Env: []string{roleVariable + "=sleep"}})
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
