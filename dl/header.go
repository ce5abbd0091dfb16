package dl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// checkFile reads the header of the file at path and says why the loader of
// this platform would refuse it, or crash on it: mapping a file that was cut
// short ends the process with SIGBUS.
func checkFile(path, goos, goarch string) error {
	info, err := os.Stat(path)
	if err != nil {
		return plain(err)
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait
		return errors.New("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return plain(err)
	}
	defer f.Close()
	return checkHeader(f, info.Size(), goos, goarch)
}

// plain takes the path out of an error that will stand beside it.
func plain(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// checkHeader tells whether the size bytes of r are a whole shared library for
// a platform. All parts that it says the loader will map lie inside the file.
func checkHeader(r io.ReaderAt, size int64, goos, goarch string) error {
	if size == 0 {
		return errors.New("an empty file")
	}
	start, err := readAt(r, 0, min(size, 64))
	if err != nil {
		return err
	}
	isELF, isPE := bytes.HasPrefix(start, []byte("\x7fELF")), bytes.HasPrefix(start, []byte("MZ"))
	switch {
	case isELF && goos == "windows":
		return errors.New("a library for Unix (ELF), not for Windows")
	case isPE && goos != "windows":
		return errors.New("a library for Windows (PE), not for " + goos)
	case isELF:
		return checkELF(r, size, goarch)
	case isPE:
		return checkPE(r, size, goarch)
	}
	return errors.New("not a shared library but " + describe(start, size))
}

// describe says what a file that is no library may be.
func describe(start []byte, size int64) string {
	for _, known := range []struct{ magic, what string }{
		{"!<arch>\n", "a static library or an import library (ar)"},
		{"#!", "a script"},
		{"/* GNU ld script", "a linker script"},
		{"version https://git-lfs", "a Git LFS pointer: the file itself was not fetched"},
		{"\xcf\xfa\xed\xfe", "a library for macOS (Mach-O)"},
		{"\xca\xfe\xba\xbe", "a library for macOS (Mach-O)"},
		{"\x1f\x8b", "gzip data"},
		{"PK\x03\x04", "a zip archive"},
	} {
		if bytes.HasPrefix(start, []byte(known.magic)) {
			return known.what
		}
	}
	return fmt.Sprintf("%d bytes that begin with %.16q", size, start)
}

func readAt(r io.ReaderAt, off, n int64) ([]byte, error) {
	b := make([]byte, n)
	if got, err := r.ReadAt(b, off); int64(got) < n {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, fmt.Errorf("can't be read: %w", err)
	}
	return b, nil
}

// inside reports whether n bytes from off lie within size bytes.
func inside(off, n uint64, size int64) bool {
	return off <= uint64(size) && n <= uint64(size)-off
}

func cutShort(what string, off, n uint64, size int64) error {
	return fmt.Errorf("cut short: %s lies at %d and has %d bytes, the file has %d", what, off, n, size)
}
