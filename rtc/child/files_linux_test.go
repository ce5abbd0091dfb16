//go:build linux && (amd64 || arm64)

package child_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/child"
)

// TestTooManyFiles lets ever more descriptors be open, until a child can be
// started beside one of a high number that came along unasked: before, the error
// says what the matter is.
func TestTooManyFiles(t *testing.T) {
	end(t, begin(t, "exit", child.Config{})) // what stays open is open
	var before syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before))
	const high = 60
	require.NoError(t, syscall.Dup3(2, high, 0))
	defer syscall.Close(high)
	said := map[string]bool{}
	for limit := uint64(10); ; limit++ {
		null, err := os.Open(os.DevNull)
		require.NoError(t, err)
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: limit, Max: before.Max}))
		p, err := child.Start(child.Config{Path: "/proc/self/exe", Env: []string{roleVariable + "=exit"}, Files: []*os.File{null}})
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before))
		if err == nil {
			end(t, p)
			break
		}
		require.ErrorIs(t, err, syscall.EMFILE, "%d", limit)
		require.Contains(t, err.Error(), "too many open files")
		said[strings.TrimPrefix(err.Error(), "child: start /proc/self/exe: ")] = true
		require.Less(t, limit, uint64(2000))
	}
	t.Log(said)
	assert.Contains(t, said, "pipe2: too many open files")
	assert.Regexp(t, `(?m)descriptor \d\d+ is open, and a start needs numbers beyond it$`, strings.Join(slices.Collect(maps.Keys(said)), "\n"))
}
