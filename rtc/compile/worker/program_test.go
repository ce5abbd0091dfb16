//go:build linux && (amd64 || arm64)

package worker_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// TestOtherProgram has a Pool start what is no worker.
func TestOtherProgram(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	const hint = "; call worker.Main first in its main, or have Config.Path be the command purecuda and Config.Args worker"
	p := newPool(t, worker.Config{Path: "/bin/sh", Args: []string{"-c", "echo I am a shell >&2"}})
	_, err := run(p, c, axpy)
	assert.EqualError(t, err, "worker: compile k.cu: /bin/sh did not begin: it ended: EOF (exit code 0): I am a shell"+hint)
	defer worker.SetFirstWord(300 * time.Millisecond)()
	p = newPool(t, worker.Config{Path: "/bin/sh", Args: []string{"-c", "echo I am a shell >&2; sleep 60"}})
	_, err = run(p, c, axpy)
	assert.EqualError(t, err, "worker: compile k.cu: /bin/sh did not begin: it said nothing for 300ms: i/o timeout (it was killed): I am a shell"+hint)
	assert.ErrorIs(t, err, os.ErrDeadlineExceeded)
	waitFor(t, func() bool { return len(children()) == 0 })
}

// TestProgramIsLookedAt has what can't be started told at once.
func TestProgramIsLookedAt(t *testing.T) {
	folder, plain := t.TempDir(), writeFile(t, "plain", "no program")
	for path, want := range map[string]error{"/does/not/exist": os.ErrNotExist, plain: os.ErrPermission, folder: syscall.EISDIR, "no-such-command": exec.ErrNotFound} {
		_, err := worker.NewPool(worker.Config{Path: path})
		assert.ErrorIs(t, err, want, path)
		assert.ErrorContains(t, err, "worker: new pool: Config.Path: ")
		assert.ErrorContains(t, err, path)
	}
	// One that the PATH has, and one by a name that starts from the working
	// directory, wherever that is later.
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	self, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, filepath.Join(folder, "tool")))
	t.Setenv("PATH", folder)
	t.Chdir(folder)
	for _, path := range []string{"tool", "./tool"} {
		p := newPool(t, worker.Config{Path: path, Workers: 1})
		t.Chdir("/")
		_, err := run(p, c, axpy)
		assert.NoError(t, err, path)
		t.Chdir(folder)
	}
}

// TestLeastStack holds what Config.Stack must be at least to what workers need.
func TestLeastStack(t *testing.T) {
	each(t, func(t *testing.T, c *nvrtc.Compiler) {
		_, err := run(newPool(t, worker.Config{Stack: 1 << 20, Workers: 1}), c, axpy, "--gpu-architecture=sm_80")
		assert.NoError(t, err)
	})
}
