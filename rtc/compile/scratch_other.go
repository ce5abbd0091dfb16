//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package compile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// hold does nothing: on Windows a file that is open can't be removed.
func hold(*os.File) error { return nil }

// abandoned reports whether nobody holds a scratch.
func abandoned(path string, _ fs.FileInfo) bool {
	err := os.Remove(filepath.Join(path, heldName))
	return err == nil || errors.Is(err, fs.ErrNotExist)
}
