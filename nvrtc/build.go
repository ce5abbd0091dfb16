package nvrtc

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// buildSample is how much is read of each end of a library: the head has what
// linkers put there to tell builds apart, the build ID or the time stamp.
const buildSample = 64 << 10

// Build tells one build of NVRTC from another of the same version: a digest of
// the sizes, heads and tails of its library and of the builtins libraries
// beside it, as hexadecimal digits. It is the same on machines that have the
// same files, wherever they lie. Where the library is no file that can be read,
// as with a test double, it is "". The files are read once, when it is first
// asked for. Safe for concurrent use.
func (c *Compiler) Build() string { return c.build() }

func (c *Compiler) findBuild() string {
	path, err := filepath.EvalSymlinks(c.Path())
	if err != nil {
		return ""
	}
	library, err := sampled(path)
	if err != nil {
		return ""
	}
	var rest [][]byte
	beside, _ := os.ReadDir(filepath.Dir(path))
	for _, b := range beside {
		if !strings.Contains(b.Name(), "nvrtc-builtins") {
			continue
		}
		if digest, err := sampled(filepath.Join(filepath.Dir(path), b.Name())); err == nil {
			rest = append(rest, digest)
		}
	}
	// Links to one file are that file.
	slices.SortFunc(rest, slices.Compare[[]byte])
	rest = slices.CompactFunc(rest, slices.Equal[[]byte])
	h := sha256.New()
	h.Write(library)
	for _, digest := range rest {
		h.Write(digest)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// sampled is a digest of a file's size, head and tail.
func sampled(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d\n", info.Size())
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, buildSample)); err != nil {
		return nil, err
	}
	if _, err := io.Copy(h, io.NewSectionReader(f, max(buildSample, info.Size()-buildSample), buildSample)); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}
