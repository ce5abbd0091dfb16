//go:build linux && (amd64 || arm64)

package child_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/child"
	"github.com/purecuda/purecuda/rtc/child/jail"
)

const patience = time.Minute

// begin starts a child of a role.
func begin(t *testing.T, role string, c child.Config) *child.Process {
	t.Helper()
	c.Path, c.Env = "/proc/self/exe", []string{roleVariable + "=" + role, "GORACE=atexit_sleep_ms=0"} // the race detector waits at the end
	p, err := child.Start(c)
	require.NoError(t, err)
	t.Cleanup(p.Kill)
	return p
}

func end(t *testing.T, p *child.Process) child.Exit {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(patience):
		t.Fatal("the child does not end")
	}
	assert.ErrorIs(t, syscall.Kill(p.PID(), 0), syscall.ESRCH, "no zombie is left")
	return p.Exit()
}

// pipes are an output of the child on 3 and a word to it on 4.
func pipes(t *testing.T) (files []*os.File, out *bufio.Reader, word *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	r2, w2, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { r.Close(); w2.Close() })
	return []*os.File{w, r2}, bufio.NewReader(r), w2
}

func TestExit(t *testing.T) {
	p := begin(t, "exit", child.Config{})
	assert.Positive(t, p.PID())
	e := end(t, p)
	assert.Equal(t, 7, e.Code)
	assert.Equal(t, "goodbye", e.Stderr)
	assert.Equal(t, "exit code 7", e.String())
	assert.False(t, e.Killed)
	assert.Positive(t, e.Memory)
	p.Kill() // of one that has ended
	assert.False(t, p.Exit().Killed)

	e = end(t, begin(t, "signal", child.Config{}))
	assert.Equal(t, syscall.SIGTERM, e.Signal)
	assert.Equal(t, -1, e.Code)

	e = end(t, begin(t, "talk", child.Config{}))
	assert.True(t, strings.HasPrefix(e.Stderr, "firstx") && strings.HasSuffix(e.Stderr, "xlast"))
	assert.Less(t, len(e.Stderr), 10_000)
}

func TestOnlyWhatIsGiven(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	assert.Equal(t, "2 "+dir, end(t, begin(t, "environment", child.Config{Dir: dir})).Stderr)
	assert.Equal(t, "2 /", end(t, begin(t, "environment", child.Config{})).Stderr)
}

func TestKill(t *testing.T) {
	p := begin(t, "spin", child.Config{})
	waitFor(t, func() bool { cpu, resident := p.Usage(); return cpu > 0 && resident > 1<<20 })
	assert.Zero(t, p.Exit())
	start := time.Now()
	p.Kill()
	p.Kill()
	e := end(t, p)
	t.Logf("gone after %v", time.Since(start))
	assert.True(t, e.Killed)
	assert.Equal(t, syscall.SIGKILL, e.Signal)
	cpu, resident := p.Usage()
	assert.Zero(t, cpu)
	assert.Zero(t, resident)
	(*child.Process)(nil).Kill()
}

// TestGroup has what a child started end with it, by Kill and by its own death.
func TestGroup(t *testing.T) {
	for name, finish := range map[string]func(p *child.Process){
		"killed": func(p *child.Process) { p.Kill() },
		"died":   func(p *child.Process) { _ = syscall.Kill(p.PID(), syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			files, out, _ := pipes(t)
			p := begin(t, "family", child.Config{Files: files})
			grandchild := number(t, out)
			require.NoError(t, syscall.Kill(grandchild, 0))
			finish(p)
			end(t, p)
			waitFor(t, func() bool { return dead(grandchild) })
		})
	}
}

// TestEndsWithItsParent kills a process that has a child. The thread that starts
// children must outlive whoever asks it to.
func TestEndsWithItsParent(t *testing.T) {
	for _, namespaces := range []string{"", "namespaces"} {
		t.Run(namespaces, func(t *testing.T) {
			if namespaces != "" {
				needNamespaces(t)
			}
			files, out, word := pipes(t)
			p := begin(t, "parent", child.Config{Files: files, Args: []string{"child", namespaces}})
			grandchild := number(t, out)
			time.Sleep(50 * time.Millisecond)
			require.False(t, dead(grandchild), "nothing ends it yet")
			_, err := word.Write([]byte{1})
			require.NoError(t, err)
			end(t, p)
			waitFor(t, func() bool { return dead(grandchild) })
		})
	}
}

func needNamespaces(t *testing.T) {
	t.Helper()
	if jail.Probe().Namespaces {
		return
	}
	if nvrtctest.Required("namespaces") {
		t.Fatal("PURECUDA_REQUIRE wants user namespaces, and this machine doesn't let them be made")
	}
	t.Skip("no user namespaces here")
}

// TestNamespaces has a child that is nobody be limited, seen and killed as any other.
func TestNamespaces(t *testing.T) {
	needNamespaces(t)
	assert.Equal(t, "65534 1 0", end(t, begin(t, "who", child.Config{Namespaces: true})).Stderr)
	files, out, word := pipes(t)
	p := begin(t, "memory", child.Config{Files: files, Namespaces: true})
	number(t, out)
	require.NoError(t, p.BoundMemory(900<<20))
	_, err := word.Write([]byte{1})
	require.NoError(t, err)
	assert.Equal(t, "cannot allocate memory", end(t, p).Stderr)
	p = begin(t, "spin", child.Config{Namespaces: true})
	waitFor(t, func() bool { cpu, resident := p.Usage(); return cpu > 0 && resident > 1<<20 })
	p.Kill()
	assert.True(t, end(t, p).Killed)
}

// TestStartedFromAnyThread has the thread that asked for a child end.
func TestStartedFromAnyThread(t *testing.T) {
	started := make(chan *child.Process)
	go func() {
		runtime.LockOSThread() // and the thread ends with the goroutine
		started <- begin(t, "sleep", child.Config{})
	}()
	p := <-started
	select {
	case <-p.Done():
		t.Fatalf("it ended with a thread: %v", p.Exit())
	case <-time.After(200 * time.Millisecond):
	}
}

// limited starts a child of a role that waits until its limits are in force.
func limited(t *testing.T, role string, l child.Limits, args ...string) *child.Process {
	t.Helper()
	files, _, word := pipes(t)
	p := begin(t, role, child.Config{Args: append([]string{"child"}, args...), Files: files, Limits: l})
	_, err := word.Write([]byte{1})
	require.NoError(t, err)
	return p
}

func TestLimits(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	e := end(t, limited(t, "write", child.Limits{NoWriting: true}, file))
	assert.Contains(t, e.Stderr, "file too large")

	e = end(t, limited(t, "limits", child.Limits{OpenFiles: 20}))
	assert.Equal(t, "core 0 0, files 20 20", e.Stderr)

	e = end(t, limited(t, "spin", child.Limits{CPU: time.Second}))
	assert.Equal(t, syscall.SIGKILL, e.Signal)
	assert.Greater(t, e.CPU, 500*time.Millisecond, "what the system says afterwards is not what it limits by")
	assert.False(t, e.Killed)

	e = end(t, limited(t, "memory", child.Limits{Memory: 1 << 30}))
	assert.Equal(t, "cannot allocate memory", e.Stderr)
	e = end(t, limited(t, "memory", child.Limits{}))
	assert.Equal(t, "it has 1 GiB", e.Stderr)
}

// TestBoundMemory bounds that of a child which has begun, by what it has.
func TestBoundMemory(t *testing.T) {
	for more, want := range map[int64]string{900 << 20: "cannot allocate memory", 1100 << 20: "it has 1 GiB"} {
		files, out, word := pipes(t)
		p := begin(t, "memory", child.Config{Files: files})
		number(t, out) // what it has when it begins isn't bounded
		require.NoError(t, p.BoundMemory(more))
		_, err := word.Write([]byte{1})
		require.NoError(t, err)
		assert.Equal(t, want, end(t, p).Stderr)
		assert.NoError(t, p.BoundMemory(1), "of one that has ended")
		assert.EqualError(t, p.BoundMemory(-1), "child: bound memory: -1 bytes are less than 0")
	}
}

// TestDescriptors has this process have a file that any program it starts would
// get, as C libraries open them, and one far up.
func TestDescriptors(t *testing.T) {
	fd, err := syscall.Open("/dev/null", syscall.O_RDONLY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { syscall.Close(fd) })
	require.NoError(t, syscall.Dup3(fd, 300, 0))
	t.Cleanup(func() { syscall.Close(300) })
	assert.Equal(t, "0 1 2", end(t, begin(t, "descriptors", child.Config{})).Stderr)
	files, _, _ := pipes(t)
	assert.Equal(t, "0 1 2 3 4", end(t, begin(t, "descriptors", child.Config{Files: files})).Stderr)
}

func TestNoProgram(t *testing.T) {
	before := open(t)
	files, _, _ := pipes(t)
	_, err := child.Start(child.Config{Path: "/does/not/exist", Files: files})
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.ErrorContains(t, err, "child: start /does/not/exist: ")
	assert.Equal(t, before+2, open(t), "the test's own ends of the pipes")
}

func open(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(list)
}

func number(t *testing.T, from *bufio.Reader) (n int) {
	t.Helper()
	_, err := fmt.Fscan(from, &n)
	require.NoError(t, err)
	return n
}

// dead is true of a zombie, too, which is init's to bury.
func dead(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(text), ") Z ")
}

func waitFor(t *testing.T, what func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !what(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for %v", patience)
		}
	}
}
