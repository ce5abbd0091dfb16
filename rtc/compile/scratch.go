package compile

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A scratch is a folder for files that are of use to this process alone. A lock in
// it, which the system frees when the process dies, says that they are.
type scratch struct {
	path string
	held *os.File
}

const (
	scratchPrefix = "purecuda-pch-"
	heldName      = "held"
)

// newScratch makes a folder below parent, and removes those of processes that died.
func newScratch(parent string) (*scratch, error) {
	sweep(parent)
	path, err := os.MkdirTemp(parent, scratchPrefix)
	if err != nil {
		return nil, err
	}
	s := &scratch{path: path}
	if s.held, err = os.OpenFile(filepath.Join(path, heldName), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		err = hold(s.held)
	}
	if err != nil {
		_ = s.remove()
		return nil, err
	}
	return s, nil
}

func (s *scratch) remove() error {
	if s.held != nil {
		_ = s.held.Close()
	}
	return os.RemoveAll(s.path)
}

// youngest is the age from which on a folder is no longer one that is being made.
const youngest = time.Minute

// sweep removes the folders below parent that nobody holds.
func sweep(parent string) {
	all, _ := os.ReadDir(parent)
	for _, entry := range all {
		number, ok := strings.CutPrefix(entry.Name(), scratchPrefix)
		if !ok || strings.Trim(number, "0123456789") != "" {
			continue // not what os.MkdirTemp makes
		}
		path := filepath.Join(parent, entry.Name())
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < youngest || !abandoned(path, info) {
			continue
		}
		_ = os.RemoveAll(path)
	}
}
