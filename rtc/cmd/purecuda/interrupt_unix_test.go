//go:build unix

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
)

// The first signal ends a command that reads what never ends: standard input that nobody
// writes to, and pipes by name that nobody opens.
func TestInterruptedWhileReading(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	require.NoError(t, syscall.Mkfifo(d.path("pipe"), 0o600))
	for _, args := range []string{"compile -", "compile pipe", "compile -config pipe scale.cu", "cache import -", "cache import pipe"} {
		c := d.command(strings.Fields(args)...)
		stdin, writer, err := os.Pipe()
		require.NoError(t, err)
		c.Stdin = stdin
		var said strings.Builder
		c.Stderr = &said
		require.NoError(t, c.Start())
		time.Sleep(500 * time.Millisecond) // until it reads
		require.NoError(t, c.Process.Signal(syscall.SIGTERM))
		over := time.AfterFunc(10*time.Second, func() { _ = c.Process.Signal(os.Kill) })
		_ = c.Wait()
		over.Stop()
		require.NoError(t, writer.Close())
		require.NoError(t, stdin.Close())
		assert.Equal(t, 130, c.ProcessState.ExitCode(), args)
		assert.Regexp(t, `^purecuda: (compile|cache: import): interrupted\n$`, said.String(), args)
	}
}
