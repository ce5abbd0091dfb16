package child_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/child"
)

const patience = time.Minute

// begin starts a child of a role.
func begin(t *testing.T, role string, c child.Config) *child.Process {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	c.Path, c.Env = path, []string{roleVariable + "=" + role}
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
	return p.Exit()
}

func TestExit(t *testing.T) {
	p := begin(t, "exit", child.Config{})
	assert.Positive(t, p.PID())
	e := end(t, p)
	assert.Equal(t, 7, e.Code)
	assert.Equal(t, "goodbye", e.Stderr)
	assert.Equal(t, "exit code 7", e.String())
	assert.False(t, e.Killed)
	p.Kill() // of one that has ended
	assert.False(t, p.Exit().Killed)
	cpu, memory := p.Usage()
	assert.Zero(t, cpu)
	assert.Zero(t, memory)

	e = end(t, begin(t, "talk", child.Config{}))
	assert.True(t, strings.HasPrefix(e.Stderr, "firstx") && strings.HasSuffix(e.Stderr, "xlast"))
	assert.Less(t, len(e.Stderr), 10_000)
}

// TestFault has a child end by an exception: with its number, and no dialogue.
func TestFault(t *testing.T) {
	e := end(t, begin(t, "fault", child.Config{}))
	assert.NotEqual(t, 5, e.Code)
	assert.NotZero(t, e.Code)
}

func TestOnlyWhatIsGiven(t *testing.T) {
	dir := os.Getenv("SYSTEMROOT")
	e := end(t, begin(t, "environment", child.Config{Dir: dir}))
	assert.Contains(t, e.Stderr, roleVariable+"=environment")
	assert.True(t, strings.HasSuffix(strings.ToLower(e.Stderr), " "+strings.ToLower(dir)), e.Stderr)
	assert.NotContains(t, e.Stderr, "PATH=")
}

func TestFiles(t *testing.T) {
	childIn, in, err := os.Pipe()
	require.NoError(t, err)
	out, childOut, err := os.Pipe()
	require.NoError(t, err)
	p := begin(t, "echo", child.Config{Files: []*os.File{childIn, childOut}})
	_, err = in.WriteString("to and fro")
	require.NoError(t, err)
	require.NoError(t, in.Close())
	text, err := io.ReadAll(out)
	require.NoError(t, err)
	assert.Equal(t, "to and fro", string(text))
	assert.Contains(t, end(t, p).Stderr, "child: inherited file 2: the parent gave none")
	assert.ErrorIs(t, childIn.Close(), os.ErrClosed)
}

func TestKill(t *testing.T) {
	p := begin(t, "spin", child.Config{})
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if cpu, memory := p.Usage(); cpu > 0 && memory > 0 {
			break
		}
		require.True(t, time.Now().Before(end), "it uses nothing")
	}
	assert.Zero(t, p.Exit())
	p.Kill()
	p.Kill()
	e := end(t, p)
	assert.True(t, e.Killed)
	assert.Equal(t, "it was killed", e.String())
}

func TestLimits(t *testing.T) {
	assert.Equal(t, "1", end(t, begin(t, "job", child.Config{})).Stderr, "it is in a job")
	family := end(t, begin(t, "family", child.Config{})).Stderr
	memory := end(t, begin(t, "memory", child.Config{Limits: child.Limits{Memory: 300 << 20}})).Stderr
	spin := begin(t, "spin", child.Config{Limits: child.Limits{CPU: time.Second}})
	// Wine takes such limits, and doesn't hold them.
	if syscall.NewLazyDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil {
		t.Logf("family: %s; memory: %s", family, memory)
		return
	}
	assert.NotEqual(t, "<nil>", family, "it may start no process")
	assert.NotContains(t, memory, "it has")
	e := end(t, spin)
	assert.False(t, e.Killed)
	assert.NotZero(t, e.Code)
}

// TestEndsWithItsParent kills a process that has a child.
func TestEndsWithItsParent(t *testing.T) {
	// A child of ours could start none. This one is not in a job.
	path, err := os.Executable()
	require.NoError(t, err)
	r, w, err := os.Pipe()
	require.NoError(t, err)
	p, err := os.StartProcess(path, []string{path}, &os.ProcAttr{Env: append(os.Environ(), roleVariable+"=parent"), Files: []*os.File{os.Stdin, w, w}})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	var pid uint32
	_, err = fmt.Fscan(r, &pid)
	require.NoError(t, err)
	_, err = p.Wait()
	require.NoError(t, err)
	const synchronize = 0x100000
	h, err := syscall.OpenProcess(synchronize, false, pid)
	if err != nil {
		return // it is gone already
	}
	event, err := syscall.WaitForSingleObject(h, uint32(patience/time.Millisecond))
	assert.NoError(t, err)
	assert.Zero(t, event, "it lives")
}

func TestNoProgram(t *testing.T) {
	_, err := child.Start(child.Config{Path: `C:\does\not\exist.exe`})
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.ErrorContains(t, err, `child: start C:\does\not\exist.exe: `)
}
