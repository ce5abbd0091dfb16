//go:build linux || darwin

package compile

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/rtc/cache"
)

// TestChangesBehindAnOldTime: a header that was read long ago is changed, and its
// size and time are as they were, as who unpacks an archive leaves them.
func TestChangesBehindAnOldTime(t *testing.T) {
	c := double(t, "one", dl.Version{Major: 12, Minor: 4})
	t.Chdir(t.TempDir())
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		require.NoError(t, os.Chtimes(name, old, old))
	}
	r := Request{Compiler: c, Source: "#include \"h.h\"\n"}
	disk := &files{} // remembers all at once
	seen := map[cache.Key]string{}
	differs := func(what string) {
		t.Helper()
		k, _, err := keyOf(context.Background(), disk, &r, nil)
		require.NoError(t, err)
		assert.Empty(t, seen[k], what)
		seen[k] = what
	}
	write("h.h", "1")
	differs("the first")
	require.Len(t, disk.known, 1)
	time.Sleep(50 * time.Millisecond) // more than a tick of the clock that files go by
	write("h.h", "2")
	differs("written over")
	write("other", "3")
	require.NoError(t, os.Rename("other", "h.h"))
	differs("another in its place")
}
