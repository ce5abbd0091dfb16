package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// trust looks, until it once was satisfied, whether only this user, or root,
// can have written what lies in the folder: the entries are code.
func (d *Disk) trust() error {
	if d.trusted.Load() {
		return nil
	}
	if d.dirErr != nil {
		return d.dirErr
	}
	info, err := os.Lstat(d.dir)
	if err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link: name the folder that it leads to", d.dir)
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", d.dir)
	case !ours(info):
		return fmt.Errorf("%s belongs to another user", d.dir)
	case othersWrite(info):
		return fmt.Errorf("%s can be written by other users (mode %v): take that away (chmod go-w) or name another folder", d.dir, info.Mode().Perm())
	}
	d.trusted.Store(true)
	return nil
}

// inFolder does what makes a file, and makes the folder first if it is missing.
func (d *Disk) inFolder(file string, do func() error) error {
	err := d.trust()
	if err == nil {
		err = do()
	}
	if errors.Is(err, fs.ErrNotExist) {
		if err := d.make(file); err != nil {
			return err
		}
		err = do()
	}
	return err
}

// make makes the folder that holds file, for this user alone.
func (d *Disk) make(file string) error {
	if d.dirErr != nil {
		return d.dirErr
	}
	if err := os.MkdirAll(filepath.Dir(d.dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(d.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	d.trusted.Store(false) // it is a new one, or there was none
	if err := d.trust(); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
