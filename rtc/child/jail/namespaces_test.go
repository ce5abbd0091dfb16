//go:build linux && (amd64 || arm64)

package jail_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/child/jail"
)

// An inside is what a process sees of itself and of the machine.
type inside struct {
	UID, PID   int
	Interfaces []string
	Parent     int
	Connect    string
}

func init() {
	roles["inside"] = func(o order) func() any {
		return func() any {
			i := inside{UID: os.Getuid(), PID: os.Getpid(), Parent: os.Getppid()}
			all, _ := net.Interfaces()
			for _, n := range all {
				if n.Flags&net.FlagUp != 0 {
					i.Interfaces = append(i.Interfaces, n.Name)
				}
			}
			c, err := net.Dial("unix", "@"+o.Args[0])
			i.Connect = name(closed(c, err))
			return i
		}
	}
}

func TestNamespaces(t *testing.T) {
	if !jail.Probe().Namespaces {
		assert.ErrorContains(t, jail.Namespaces(&syscall.SysProcAttr{}), "jail: namespaces: this machine doesn't let it")
		missing(t, "namespaces")
	}
	socket := fmt.Sprintf("purecuda-jail-test-%d", os.Getpid())
	l, err := net.Listen("unix", "@"+socket)
	require.NoError(t, err)
	defer l.Close()
	o := order{Role: "inside", Args: []string{socket}}
	free := imprison[inside](t, o)
	assert.Equal(t, os.Getuid(), free.UID)
	assert.Equal(t, "done", free.Connect)
	held := imprison[inside](t, o, func(c *exec.Cmd) {
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		require.NoError(t, jail.Namespaces(c.SysProcAttr))
		assert.True(t, c.SysProcAttr.Setpgid)
	})
	assert.Equal(t, 65534, held.UID)
	assert.Equal(t, 1, held.PID)
	assert.Zero(t, held.Parent)
	assert.Empty(t, held.Interfaces)
	assert.Contains(t, held.Connect, "connection refused", "another network's names")

	// All walls together.
	if w := jail.Probe(); w.Landlock > 0 && w.Seccomp {
		o = order{Role: "calls", Args: []string{place(t)}, Landlock: true, Seccomp: true}
		held := imprison[attempts](t, o, func(c *exec.Cmd) {
			c.SysProcAttr = &syscall.SysProcAttr{}
			require.NoError(t, jail.Namespaces(c.SysProcAttr))
		})
		assert.Equal(t, []string{"EACCES"}, held["read a file, from old threads"])
	}
}

// TestProbe finds what there is again and again, and leaves no process.
func TestProbe(t *testing.T) {
	w := jail.Probe()
	assert.Equal(t, w, jail.Probe())
	t.Log(w)
	_, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
	if list, globErr := filepath.Glob("/proc/[0-9]*/stat"); globErr == nil && err != syscall.ECHILD {
		for _, file := range list {
			text, _ := os.ReadFile(file)
			assert.NotContains(t, string(text), fmt.Sprintf(" Z %d ", os.Getpid()))
		}
	}
	assert.Equal(t, "Landlock 6, no seccomp, user namespaces", jail.Walls{Landlock: 6, Namespaces: true}.String())
	assert.Equal(t, "no Landlock, seccomp, no user namespaces", jail.Walls{Seccomp: true}.String())
}

func TestErrors(t *testing.T) {
	if jail.Probe().Landlock == 0 {
		missing(t, "landlock")
	}
	c := exec.Command("/proc/self/exe")
	c.Env = []string{variable + "=" + order{Role: "inside", Landlock: true, Read: []string{"/does/not/exist"}}.String()}
	out, err := c.CombinedOutput()
	assert.Error(t, err)
	assert.Equal(t, "jail: landlock: allow /does/not/exist: no such file or directory", strings.TrimSpace(string(out)))
}
