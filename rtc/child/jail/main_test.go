//go:build linux && (amd64 || arm64)

package jail_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/child/jail"
)

// variable has the test binary, started again, be a prisoner: its value is an order.
const variable = "PURECUDA_JAIL_TEST"

// An order is what a prisoner shall do.
type order struct {
	Role     string
	Args     []string // the role's
	Landlock bool     // behind which walls
	Read     []string
	Inside   bool     // it has executed itself
	Again    []string // what this thread may read from then on, if there is any
	Seccomp  bool
	Open     bool
}

// roles are what prisoners do. What a role gives comes before Seccomp, and what that
// gives after it.
var roles = map[string]func(o order) func() any{}

func init() {
	if os.Getenv(variable) != "" {
		runtime.LockOSThread()
	}
}

func TestMain(m *testing.M) {
	if text := os.Getenv(variable); text != "" {
		var o order
		err := json.Unmarshal([]byte(text), &o)
		if err == nil {
			err = o.obey()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	m.Run()
}

func (o order) String() string {
	text, _ := json.Marshal(o)
	return string(text)
}

func (o order) obey() error {
	if o.Landlock && !o.Inside {
		if err := jail.Landlock(append(jail.SystemFiles(), o.Read...)...); err != nil {
			return err
		}
		o.Inside = true
		return syscall.Exec("/proc/self/exe", os.Args, []string{variable + "=" + o.String()})
	}
	then := roles[o.Role](o)
	if len(o.Again) > 0 {
		if err := jail.Landlock(o.Again...); err != nil {
			return err
		}
	}
	if o.Seccomp {
		if err := jail.Seccomp(jail.Filter{Open: o.Open}); err != nil {
			return err
		}
	}
	text, err := json.Marshal(then())
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}

// imprison has a prisoner obey, and gives its answer.
func imprison[T any](t *testing.T, o order, prepare ...func(*exec.Cmd)) (answer T) {
	t.Helper()
	for what, wanted := range map[string]struct{ wants, there bool }{
		"landlock": {o.Landlock, jail.Probe().Landlock > 0},
		"seccomp":  {o.Seccomp, jail.Probe().Seccomp},
	} {
		if wanted.wants && !wanted.there {
			missing(t, what)
		}
	}
	c := exec.Command("/proc/self/exe")
	c.Env = []string{variable + "=" + o.String()}
	var stderr strings.Builder
	c.Stderr = &stderr
	for _, f := range prepare {
		f(c)
	}
	out, err := c.Output()
	require.NoError(t, err, "%v: %s%s", o, out, stderr.String())
	require.NoError(t, json.Unmarshal(out, &answer), "%s", out)
	return answer
}

func missing(t *testing.T, what string) {
	t.Helper()
	if nvrtctest.Required(what) {
		t.Fatalf("%s is required: this machine has %v", what, jail.Probe())
	}
	t.Skipf("no %s: this machine has %v", what, jail.Probe())
}

// name is an error's number as the kernel gave it, in words.
func name(err error) string {
	var number syscall.Errno
	switch {
	case err == nil:
		return "done"
	case errors.As(err, &number):
		i := slices.IndexFunc(numbers, func(n syscall.Errno) bool { return n == number })
		if i >= 0 {
			return names[i]
		}
	}
	return err.Error()
}

var (
	numbers = []syscall.Errno{syscall.EACCES, syscall.EPERM, syscall.ENOSYS, syscall.EXDEV}
	names   = []string{"EACCES", "EPERM", "ENOSYS", "EXDEV"}
)

// onThreads runs f on n threads at once and gives what it came to, each once.
func onThreads(n int, f func() error) []string {
	results, ready, gone := make(chan string, n), make(chan bool, n), make(chan bool)
	for range n {
		go func() {
			runtime.LockOSThread()
			ready <- true
			<-gone
			results <- name(f())
		}()
	}
	for range n {
		<-ready
	}
	close(gone)
	var all []string
	for range n {
		all = append(all, <-results)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
