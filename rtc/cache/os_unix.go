//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// openEntry opens a file to read. It neither follows a link nor waits, as
// opening a pipe would.
func openEntry(file string) (*os.File, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("%s is a symbolic link: %w", file, fs.ErrNotExist)
	}
	return f, err
}

// ours reports whether a file belongs to this user or to root.
func ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (stat.Uid == 0 || int(stat.Uid) == os.Geteuid())
}

func othersWrite(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }

// replace renames temp to file, whatever is there.
func replace(temp, file string) error { return os.Rename(temp, file) }

// lockFile locks a file, or returns errHeld. Unlocking removes it; so who gets
// the lock must see that the file is still the one of that name.
func lockFile(file string) (unlock func(), err error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errHeld
		}
		return nil, fmt.Errorf("lock %s: %w", file, err)
	}
	locked, err := f.Stat()
	named, err2 := os.Lstat(file)
	if err != nil || err2 != nil || !os.SameFile(locked, named) {
		f.Close()
		return nil, errHeld
	}
	return func() {
		_ = os.Remove(file)
		f.Close()
	}, nil
}
