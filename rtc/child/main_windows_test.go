package child_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/purecuda/purecuda/rtc/child"
)

// roleVariable has the test binary, started again, be a child.
const roleVariable = "PURECUDA_CHILD_TEST_ROLE"

var roles = map[string]func(){
	"exit": func() { fmt.Fprint(os.Stderr, "goodbye"); os.Exit(7) },
	"spin": func() {
		for n := 0; n >= 0; n = (n + 1) & 0xffff {
		}
	},
	"talk": func() { fmt.Fprint(os.Stderr, "first"+strings.Repeat("x", 100_000)+"last") },
	"environment": func() {
		folder, _ := os.Getwd()
		fmt.Fprint(os.Stderr, strings.Join(os.Environ(), " "), " ", folder)
	},
	"fault": func() {
		_, _, _ = syscall.NewLazyDLL("kernel32.dll").NewProc("RaiseException").Call(0xe0000001, 1, 0, 0)
		os.Exit(5)
	},
	"memory": func() {
		const commit, writable = 0x3000, 4
		b, _, err := syscall.NewLazyDLL("kernel32.dll").NewProc("VirtualAlloc").Call(0, 1<<30, commit, writable)
		if b == 0 {
			fmt.Fprint(os.Stderr, err)
			return
		}
		fmt.Fprint(os.Stderr, "it has 1 GiB")
	},
	"family": func() {
		c := exec.Command(os.Args[0])
		c.Env = []string{roleVariable + "=exit"}
		fmt.Fprint(os.Stderr, c.Run())
	},
	"echo": func() {
		in, err := child.Inherited(0)
		if err != nil {
			panic(err)
		}
		out, err := child.Inherited(1)
		if err != nil {
			panic(err)
		}
		_, _ = io.Copy(out, in)
		_, err = child.Inherited(2)
		fmt.Fprint(os.Stderr, err)
	},
	"sleep": func() { time.Sleep(10 * patience) },
	// parent starts a child and ends without a word to it.
	"parent": func() {
		p, err := child.Start(child.Config{Path: os.Args[0], Env: []string{roleVariable + "=sleep"}})
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(os.Stderr, p.PID())
		self, _ := syscall.GetCurrentProcess()
		_ = syscall.TerminateProcess(self, 9)
	},
	"job": func() {
		var in uint32
		self, _ := syscall.GetCurrentProcess()
		_, _, _ = syscall.NewLazyDLL("kernel32.dll").NewProc("IsProcessInJob").Call(uintptr(self), 0, uintptr(unsafe.Pointer(&in)))
		fmt.Fprint(os.Stderr, in)
	},
}

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		roles[role]()
		os.Exit(0)
	}
	m.Run()
}
