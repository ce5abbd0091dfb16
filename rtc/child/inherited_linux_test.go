package child_test

import (
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/child"
)

// A file that the parent didn't give is an error, and its number stays free for
// whoever opens something next: nothing closes that.
func TestInheritedNothing(t *testing.T) {
	const index, fd = 40, 43
	for _, i := range []int{index, -1} {
		_, err := child.Inherited(i)
		require.ErrorContains(t, err, "child: inherited file ")
	}
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	require.NoError(t, syscall.Dup3(int(null.Fd()), fd, syscall.O_CLOEXEC))
	for range 3 {
		runtime.GC()
		runtime.Gosched()
	}
	assert.NoError(t, syscall.Close(fd), "it was closed by another")
}
