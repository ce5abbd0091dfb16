package dl

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExpand(t *testing.T) {
	f := fake{files: []string{"/usr/local/cuda-12.4/lib64/a", "/usr/local/cuda/lib64/a", "/usr/local/bin/a", "/v/lib/python3.9/x/a", "/v/lib/python3.11/x/a"}}
	m := f.machine()
	assert.Equal(t, []string{"/usr/local/cuda/lib64", "/usr/local/cuda-12.4/lib64"}, m.expand("/usr/local/cuda*/lib64"))
	assert.Equal(t, []string{"/v/lib/python3.11/x", "/v/lib/python3.9/x"}, m.expand("/v/*/python3*/x"))
	assert.Equal(t, []string{"/not/there"}, m.expand("/not/there"))
	assert.Empty(t, m.expand("/nothing/*/x"))
	w := fake{goos: "windows", files: []string{`C:\T\v12.0\bin\a`, `C:\T\v13.0\bin\a`}}
	assert.Equal(t, []string{`C:\T\v12.0\bin`, `C:\T\v13.0\bin`}, w.machine().expand(`C:\T\v*\bin`))
}

func TestPathsOfEitherSystem(t *testing.T) {
	l, w := (&fake{}).machine(), (&fake{goos: "windows"}).machine()
	assert.Equal(t, "a/b/c", l.join("a/", "b", "c"))
	assert.Equal(t, `C:\a\b\c`, w.join(`C:\a\`, `b`, `c`))
	assert.Equal(t, "c", l.base("/a/b/c"))
	assert.Equal(t, `a\b`, l.base(`/x/a\b`), "a backslash is a letter like any other")
	assert.Equal(t, "c.dll", w.base(`C:\a/b\c.dll`))
	assert.Equal(t, `C:\a`, w.dir(`C:\a\c.dll`))
	assert.Equal(t, "", l.dir("c"))
	assert.True(t, w.inStubs(`C:\a/stubs\x.dll`))
	assert.True(t, l.inStubs("/a/stubs/x"))
	assert.False(t, l.inStubs("/stubs/a/x"))
}

func TestThisMachine(t *testing.T) {
	m := thisMachine()
	dir := tempDir(t)
	file := write(t, []byte("x"), dir, "b", "libx.so.1.2")
	names, err := m.readDir(filepath.Join(dir, "b"))
	require.NoError(t, err)
	assert.Equal(t, []string{"libx.so.1.2"}, names)
	_, err = m.readDir(filepath.Join(dir, "none"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	for path, want := range map[string][2]bool{dir: {true, true}, file: {true, false}, dir + "x": {false, false}} {
		exists, isDir := m.stat(path)
		assert.Equal(t, want, [2]bool{exists, isDir}, path)
	}
	if runtime.GOOS != "windows" && os.Symlink("libx.so.1.2", filepath.Join(dir, "b", "libx.so")) == nil {
		real, _ := filepath.EvalSymlinks(file)
		assert.Equal(t, real, m.realPath(filepath.Join(dir, "b", "libx.so")))
	}
	assert.Equal(t, "/not/there", m.realPath("/not/there"))
}
