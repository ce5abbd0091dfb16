package compile

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestScratch: folders of processes that died are removed, and nothing else.
func TestScratch(t *testing.T) {
	// That it looks like a pattern means nothing.
	parent := filepath.Join(t.TempDir(), "[a-z]")
	require.NoError(t, os.Mkdir(parent, 0o700))
	long := time.Now().Add(-time.Hour)
	age := func(path string) { require.NoError(t, os.Chtimes(path, long, long)) }
	folder := func(name string) string {
		path := filepath.Join(parent, name)
		require.NoError(t, os.Mkdir(path, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(path, "1.pch"), []byte("x"), 0o600))
		return path
	}
	held, err := newScratch(parent)
	require.NoError(t, err)
	age(held.path)
	dead := folder(scratchPrefix + "1")
	require.NoError(t, os.WriteFile(filepath.Join(dead, heldName), nil, 0o600))
	age(dead)
	halfMade := folder(scratchPrefix + "2")
	age(halfMade)
	beingMade := folder(scratchPrefix + "3")
	other := folder("other")
	age(other)
	named := folder(scratchPrefix + "mine")
	age(named)
	link := filepath.Join(parent, scratchPrefix+"4")
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink(other, link))
	}

	next, err := newScratch(parent)
	require.NoError(t, err)
	assert.DirExists(t, held.path)
	assert.NoDirExists(t, dead)
	assert.NoDirExists(t, halfMade)
	assert.DirExists(t, beingMade)
	assert.DirExists(t, named)
	assert.FileExists(t, filepath.Join(other, "1.pch"))
	require.NoError(t, held.remove())
	assert.NoDirExists(t, held.path)
	require.NoError(t, next.remove())
}
