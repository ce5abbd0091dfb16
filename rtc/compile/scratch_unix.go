//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package compile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// hold takes the lock that keeps a scratch from being swept.
func hold(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil {
		return &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return nil
}

// abandoned reports whether a scratch is this user's, and nobody holds it.
func abandoned(path string, info fs.FileInfo) bool {
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
		return false
	}
	f, err := os.OpenFile(filepath.Join(path, heldName), os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	return hold(f) == nil
}
