package compile

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A file is what is known of one on disk.
type file struct {
	digest  [sha256.Size]byte
	found   findings
	serial  serial
	defines atomic.Pointer[definitions] // nil: nobody has asked
}

// errNoFile says that there is nothing to read under a name, so that the
// search goes on: no file, or a folder.
var errNoFile = errors.New("no such file")

// files remembers what was read, for as long as the file system says that it is
// the same file.
type files struct {
	// settled is how old a file's last change must be for its stamp to be
	// trusted: one that was changed just now may change again within the clock's
	// tick.
	settled time.Duration

	mu    sync.Mutex
	known map[string]remembered
}

type remembered struct {
	stamp
	file *file
}

// A stamp changes when a file does.
type stamp struct {
	size     int64
	modified time.Time
	identity
}

const (
	// mostFiles is how many are remembered: of one more, all are read again.
	mostFiles = 8192
	// largest is more than a header has.
	largest = 64 << 20
)

// machineFiles are those of this machine, shared by all services. File systems'
// ticks go up to two seconds.
var machineFiles = &files{settled: 3 * time.Second}

// read gives what is known of the file called path.
func (f *files) read(path string) (*file, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), isNoFolder(err):
		return nil, errNoFile
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errNoFile
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > largest:
		return nil, fmt.Errorf("%s has %d bytes", path, info.Size())
	}
	s := stamp{info.Size(), info.ModTime(), identityOf(info)}
	place := path
	if !filepath.IsAbs(place) { // the working directory may change
		if place, err = filepath.Abs(path); err != nil {
			return nil, err
		}
	}
	f.mu.Lock()
	have, ok := f.known[place]
	f.mu.Unlock()
	if ok && have.same(s) {
		return have.file, nil
	}
	if err := onDisk(place); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	read := &file{digest: sha256.Sum256(text), found: scan(text), serial: s.serial()}
	if now := time.Now(); now.Sub(s.modified) < f.settled || now.Sub(s.changed) < f.settled {
		return read, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.known) >= mostFiles {
		f.known = nil
	}
	if f.known == nil {
		f.known = map[string]remembered{}
	}
	f.known[place] = remembered{s, read}
	return read, nil
}

// onDisk is an error for what only looks like a file: reading it may wait for ever,
// or change something, and it isn't the same twice. A source from somebody else may
// name it.
func onDisk(path string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	for _, system := range []string{"/proc/", "/sys/"} {
		if strings.HasPrefix(real, system) {
			return fmt.Errorf("%s is the system's, and no file on disk", path)
		}
	}
	return nil
}

func (s stamp) same(o stamp) bool {
	return s.size == o.size && s.modified.Equal(o.modified) && s.identity == o.identity
}
