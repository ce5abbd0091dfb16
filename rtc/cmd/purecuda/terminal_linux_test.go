package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
)

// A line is a terminal: what is typed into it, and what stands on its screen.
type line struct {
	t      *testing.T
	master *os.File
	slave  *os.File
}

func newLine(t *testing.T) *line {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { master.Close() })
	var unlock, number int32
	for request, word := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &number} {
		// The kernel reads or writes the word during the call.
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(unsafe.Pointer(word)))
		require.Zero(t, errno)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { slave.Close() })
	return &line{t, master, slave}
}

// typed runs a command whose standard input and error are the terminal, with
// what somebody types, and returns what stands there and the exit status.
func (l *line) typed(c *exec.Cmd, keys string) (screen string, code int) {
	l.t.Helper()
	c.Stdin, c.Stderr = l.slave, l.slave
	require.NoError(l.t, c.Start())
	read := make(chan string)
	const end = "\x04the end\n"
	go func() {
		var all strings.Builder
		buffer := make([]byte, 4096)
		for !strings.Contains(all.String(), "the end") {
			n, err := l.master.Read(buffer)
			if err != nil {
				break
			}
			all.Write(buffer[:n])
		}
		read <- all.String()
	}()
	_, err := l.master.WriteString(keys)
	require.NoError(l.t, err)
	_ = c.Wait()
	_, err = l.slave.WriteString(end)
	require.NoError(l.t, err)
	return <-read, c.ProcessState.ExitCode()
}

func TestClearAsks(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	d.good("compile", "-warm", "scale.cu")
	for _, answer := range []string{"n\n", "\n", "what?\n", "\x04"} {
		screen, code := newLine(t).typed(d.command("cache", "clear"), answer)
		assert.Zero(t, code)
		assert.Contains(t, screen, "Remove 1 entry, ")
		assert.Contains(t, screen, "nothing is removed")
		assert.Contains(t, d.good("cache", "stats").out, "1 entry")
	}
	screen, code := newLine(t).typed(d.command("cache", "clear"), "y\n")
	assert.Zero(t, code)
	assert.NotContains(t, screen, "nothing is removed")
	assert.Contains(t, d.good("cache", "stats").out, "0 entries")
}

// A terminal shows how far it has come; nothing else does, and one result is none.
func TestProgressOnATerminal(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	screen, code := newLine(t).typed(d.command("compile", "-w", "-warm", "-arch", "sm_80,sm_86", "axpy.cu", "scale.cu"), "")
	assert.Zero(t, code)
	for i := 1; i <= 4; i++ {
		assert.Contains(t, screen, fmt.Sprintf("] %d/4 ", i))
	}
	assert.Contains(t, screen, "\rpurecuda: 4 compiled", "the bar is gone by then")
	assert.NotContains(t, d.good("compile", "-warm", "-arch", "sm_80,sm_86", "axpy.cu", "scale.cu").err, "\r")
	screen, _ = newLine(t).typed(d.command("compile", "-warm", "scale.cu"), "")
	assert.NotContains(t, screen, "]")
}

// Ctrl-C ends it at once, leaves nothing behind, and is told from a failure.
func TestInterrupted(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	d.write("slow.cu", slow)
	d.folder("out")
	c := d.command("compile", "-w", "-v", "scale.cu", "slow.cu", "-j", "1", "-o", "out/")
	var said strings.Builder
	c.Stderr = &said
	require.NoError(t, c.Start())
	require.Eventually(t, func() bool {
		_, err := os.Stat(d.path("out/scale.ptx"))
		return err == nil
	}, time.Minute, 5*time.Millisecond)
	time.Sleep(50 * time.Millisecond) // into the next one
	began := time.Now()
	require.NoError(t, c.Process.Signal(os.Interrupt))
	_ = c.Wait()
	assert.Less(t, time.Since(began), 5*time.Second)
	assert.Equal(t, 130, c.ProcessState.ExitCode(), said.String())
	assert.Contains(t, said.String(), "purecuda: compile: interrupted\n")
	left, err := os.ReadDir(d.path("out"))
	require.NoError(t, err)
	assert.Len(t, left, 1)
}
