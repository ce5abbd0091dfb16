package dl

import (
	"encoding/binary"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
)

// cacheOf makes an ld.so.cache of the files.
func cacheOf(files ...string) []byte {
	b := make([]byte, 48)
	copy(b, "glibc-ld.so.cache1.1")
	binary.LittleEndian.PutUint32(b[20:], uint32(len(files)))
	text := uint32(len(b) + 24*len(files))
	var texts []byte
	for _, f := range files {
		e := make([]byte, 24)
		binary.LittleEndian.PutUint32(e[4:], text)
		binary.LittleEndian.PutUint32(e[8:], text)
		b = append(b, e...)
		texts = append(append(texts, f...), 0)
		text += uint32(len(f)) + 1
	}
	return append(b, texts...)
}

func TestCachedFiles(t *testing.T) {
	files := []string{"/usr/lib/libcuda.so.1", "/a b/libnvrtc.so.12"}
	whole := cacheOf(files...)
	assert.Equal(t, files, cachedFiles(whole))
	assert.Equal(t, files, cachedFiles(append([]byte("ld.so-1.7.0\x00\x00\x00\x00\x00"), whole...)), "behind the old table")
	assert.Empty(t, cachedFiles(nil))
	assert.Empty(t, cachedFiles([]byte("glibc-ld.so.cache1.1")))
	assert.Equal(t, files[:1], cachedFiles(whole[:len(whole)-3]), "what a cut cache still has")
}

// The cache of the machine that runs the test.
func TestCachedFilesOfThisMachine(t *testing.T) {
	cache, err := os.ReadFile("/etc/ld.so.cache")
	if err != nil {
		t.Skip("no ld.so.cache here")
	}
	files := cachedFiles(cache)
	assert.NotEmpty(t, files)
	for _, f := range files {
		_, err := os.Lstat(f)
		assert.NoError(t, err)
	}
}

func FuzzCachedFiles(f *testing.F) {
	f.Add(cacheOf("/usr/lib/libcuda.so.1", "/x"))
	f.Add([]byte("glibc-ld.so.cache1.1"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, file := range cachedFiles(b) {
			if file[0] != '/' || len(file) > len(b) {
				t.Errorf("%q", file)
			}
		}
	})
}
