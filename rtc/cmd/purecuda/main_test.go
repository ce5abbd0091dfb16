package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// binary is the command, built once.
var binary string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "purecuda-command-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(folder, "purecuda")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	code := 1
	if said, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, said)
	} else {
		code = m.Run()
	}
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// A desk is a folder with sources, and what a user's environment is there.
type desk struct {
	t   testing.TB
	dir string
	env map[string]string
}

// newDesk has the NVRTC of the version, and a cache of its own.
func newDesk(t testing.TB, v dl.Version) *desk {
	t.Helper()
	c := nvrtctest.Real(t.(nvrtctest.Skipper), v)
	d := bareDesk(t)
	d.env["PURECUDA_NVRTC"] = c.Path()
	return d
}

// bareDesk has neither NVRTC nor sources' needs.
func bareDesk(t testing.TB) *desk {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/src")))
	return &desk{t, dir, map[string]string{"PURECUDA_CACHE": filepath.Join(dir, "cache"), "HOME": dir, "PATH": os.Getenv("PATH")}}
}

// A result is how a command ended.
type result struct {
	code     int
	out, err string
}

func (d *desk) command(args ...string) *exec.Cmd {
	c := exec.Command(binary, args...)
	c.Dir = d.dir
	for name, value := range d.env {
		c.Env = append(c.Env, name+"="+value)
	}
	return c
}

// run runs the command.
func (d *desk) run(args ...string) result {
	d.t.Helper()
	return d.finish(d.command(args...))
}

func (d *desk) finish(c *exec.Cmd) result {
	d.t.Helper()
	var out, err strings.Builder
	c.Stdout, c.Stderr = &out, &err
	failed := c.Run()
	if c.ProcessState == nil {
		require.NoError(d.t, failed)
	}
	return result{c.ProcessState.ExitCode(), out.String(), err.String()}
}

// good runs the command, which must succeed.
func (d *desk) good(args ...string) result {
	d.t.Helper()
	r := d.run(args...)
	require.Zero(d.t, r.code, "purecuda %q: %s%s", args, r.out, r.err)
	return r
}

// path is a file of the desk.
func (d *desk) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

// read is a file's content.
func (d *desk) read(name string) string {
	d.t.Helper()
	text, err := os.ReadFile(d.path(name))
	require.NoError(d.t, err)
	return string(text)
}

func (d *desk) folder(name string) {
	d.t.Helper()
	require.NoError(d.t, os.Mkdir(d.path(name), 0o700))
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	require.NoError(d.t, os.WriteFile(d.path(name), []byte(text), 0o600))
}
