//go:build linux && (amd64 || arm64)

package jail_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/rtc/child/jail"
)

const threads = 50

type attempts map[string][]string

// The files role tries what Landlock is for, from threads made before and after.
// Its arguments are a folder, and the name of an abstract socket.
func init() {
	roles["files"] = func(o order) func() any {
		folder, socket := o.Args[0], o.Args[1]
		return func() any {
			// That belongs to the main thread, which this is.
			a := attempts{"ends with its parent": {name(endsWithParent())}}
			for what, f := range map[string]func() error{
				"read a file":           func() error { _, err := os.ReadFile("/etc/passwd"); return err },
				"read itself":           func() error { _, err := os.ReadFile("/proc/self/environ"); return err },
				"list a folder":         func() error { _, err := os.ReadDir("/"); return err },
				"read what is allowed":  func() error { _, err := os.ReadFile(filepath.Join(folder, "sub", "file")); return err },
				"list what is allowed":  func() error { _, err := os.ReadDir(folder); return err },
				"climb out":             func() error { _, err := os.ReadFile(filepath.Join(folder, "../outside")); return err },
				"follow a link out":     func() error { _, err := os.ReadFile(filepath.Join(folder, "link")); return err },
				"write":                 func() error { return write(filepath.Join(folder, "sub", "file"), os.O_WRONLY) },
				"truncate":              func() error { return syscall.Truncate(filepath.Join(folder, "sub", "file"), 0) },
				"make a file":           func() error { return write(filepath.Join(folder, "new"), os.O_WRONLY|os.O_CREATE) },
				"make a folder":         func() error { return syscall.Mkdir(filepath.Join(folder, "newdir"), 0o700) },
				"make a link":           func() error { return syscall.Symlink("/etc", filepath.Join(folder, "newlink")) },
				"remove":                func() error { return syscall.Unlink(filepath.Join(folder, "sub", "victim")) },
				"link an outer file in": func() error { return syscall.Link(filepath.Join(folder, "../outside"), filepath.Join(folder, "in")) },
				"execute":               func() error { return exec.Command("/bin/true").Run() },
				"listen":                func() error { return listen() },
				"connect":               func() error { c, err := net.Dial("tcp", "127.0.0.1:9"); return closed(c, err) },
				"abstract socket":       func() error { c, err := net.Dial("unix", "@"+socket); return closed(c, err) },
				"signal the parent":     func() error { return syscall.Kill(syscall.Getppid(), 0) },
				"load a library":        func() error { _, err := dl.Open("libm.so.6"); return err },
				"capabilities":          func() error { return hasCapabilities() },
			} {
				n := threads
				if what == "execute" {
					n = 2
				}
				a[what] = onThreads(n, f)
			}
			return a
		}
	}
}

// mortal has the prisoner end with its parent.
func mortal(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

func write(name string, flags int) error {
	f, err := os.OpenFile(name, flags, 0o600)
	if err == nil {
		_ = f.Close()
	}
	return err
}

// listen does so by TCP itself: Landlock doesn't know its other forms, which Go uses.
func listen() error {
	var c net.ListenConfig
	c.SetMultipathTCP(false)
	l, err := c.Listen(context.Background(), "tcp", "127.0.0.1:0")
	return closed(l, err)
}

func closed(c interface{ Close() error }, err error) error {
	if err == nil {
		_ = c.Close()
	}
	return err
}

func hasCapabilities() error {
	header := struct {
		version uint32
		pid     int32
	}{version: 0x20080522}
	var data [2]struct{ effective, permitted, inheritable uint32 }
	_, _, e := syscall.RawSyscall(syscall.SYS_CAPGET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&data)), 0)
	if e != 0 {
		return e
	}
	if data[0].effective|data[0].permitted|data[1].effective|data[1].permitted == 0 {
		return fmt.Errorf("none")
	}
	return nil
}

// endsWithParent says whether the signal that a parent's end gives is still set.
func endsWithParent() error {
	const get = 2 // PR_GET_PDEATHSIG
	var signal int32
	if _, _, e := syscall.RawSyscall(syscall.SYS_PRCTL, get, uintptr(unsafe.Pointer(&signal)), 0); e != 0 {
		return e
	}
	if signal != int32(syscall.SIGKILL) {
		return fmt.Errorf("by signal %d", signal)
	}
	return nil
}

// place makes a folder with something in it and something beside it.
func place(t *testing.T) (folder string) {
	t.Helper()
	top := t.TempDir()
	folder = filepath.Join(top, "folder")
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "sub"), 0o700))
	for _, name := range []string{"folder/sub/file", "folder/sub/victim", "outside"} {
		require.NoError(t, os.WriteFile(filepath.Join(top, name), []byte("text"), 0o600))
	}
	require.NoError(t, os.Symlink("../outside", filepath.Join(folder, "link")))
	return folder
}

func TestLandlock(t *testing.T) {
	if jail.Probe().Landlock == 0 {
		missing(t, "landlock")
	}
	socket := fmt.Sprintf("purecuda-jail-test-%d", os.Getpid())
	l, err := net.Listen("unix", "@"+socket)
	require.NoError(t, err)
	defer l.Close()
	free := imprison[attempts](t, order{Role: "files", Args: []string{place(t), socket}}, mortal)
	for what, came := range free {
		switch what {
		case "connect": // nobody listens
			assert.Equal(t, []string{"dial tcp 127.0.0.1:9: connect: connection refused"}, came)
		case "make a folder", "make a link", "remove", "link an outer file in": // one thread wins
			assert.Contains(t, came, "done", what)
		case "capabilities":
			if os.Geteuid() == 0 {
				assert.Equal(t, []string{"done"}, came, what)
			}
		default:
			assert.Equal(t, []string{"done"}, came, "without walls: %s", what)
		}
	}

	folder := place(t)
	held := imprison[attempts](t, order{Role: "files", Args: []string{folder, socket}, Landlock: true, Read: []string{folder}}, mortal)
	want := attempts{
		"read a file": {"EACCES"}, "read itself": {"EACCES"}, "list a folder": {"EACCES"},
		"read what is allowed": {"done"}, "list what is allowed": {"done"}, "load a library": {"done"},
		"climb out": {"EACCES"}, "follow a link out": {"EACCES"},
		"write": {"EACCES"}, "make a file": {"EACCES"}, "make a folder": {"EACCES"}, "make a link": {"EACCES"}, "remove": {"EACCES"},
		"link an outer file in": held["link an outer file in"], // EXDEV or EACCES by version
		"execute":               {"EACCES"}, "capabilities": {"none"}, "ends with its parent": {"done"},
		"truncate": {"EACCES"}, "listen": {"EACCES"}, "connect": {"EACCES"}, "abstract socket": {"EPERM"}, "signal the parent": {"EPERM"},
	}
	assert.Subset(t, []string{"EACCES", "EXDEV"}, held["link an outer file in"])
	for what, since := range map[string]int{"truncate": 3, "listen": 4, "connect": 4, "abstract socket": 6, "signal the parent": 6} {
		if jail.Probe().Landlock < since {
			delete(want, what)
			delete(held, what)
		}
	}
	assert.Equal(t, want, held)
	assert.FileExists(t, filepath.Join(folder, "sub", "victim"))
	assert.NoFileExists(t, filepath.Join(folder, "new"))
}
