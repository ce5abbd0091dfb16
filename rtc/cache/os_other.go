//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package cache

import (
	"errors"
	"io/fs"
	"os"
)

func openEntry(file string) (*os.File, error) { return os.Open(file) }

func ours(fs.FileInfo) bool { return true }

func othersWrite(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }

func replace(temp, file string) error { return os.Rename(temp, file) }

func lockFile(string) (unlock func(), err error) {
	return nil, errors.ErrUnsupported
}
