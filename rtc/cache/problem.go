package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Problem says why the folder can't be used now, or only read, or nil. A folder
// that is missing is no problem if it can be made. It looks anew each time, and writes a
// file for a moment to see whether that can be done. Get and Put go on without
// the folder and warn once, by DiskConfig.Logger; this is for who asks. Nil, the
// Default that is off, has no problem.
func (d *Disk) Problem() error {
	if d == nil {
		return nil
	}
	err := d.problem()
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

func (d *Disk) problem() error {
	if d.closed.Load() {
		return ErrClosed
	}
	d.trusted.Store(false)
	err := d.trust()
	if err == nil {
		return writable(d.dir)
	}
	var at *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case errors.As(err, &at):
		return fmt.Errorf("%s can't be used: %w", d.dir, at.Err)
	default:
		return err
	}
	// It is made in the first one above that there is.
	for at := filepath.Dir(d.dir); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist) && filepath.Dir(at) != at:
			continue
		case err != nil:
			return fmt.Errorf("%s can't be made: %w", d.dir, err)
		case !info.IsDir():
			return fmt.Errorf("%s can't be made: %s is not a folder", d.dir, at)
		}
		if err := writable(at); err != nil {
			return fmt.Errorf("%s can't be made: %w", d.dir, err)
		}
		return nil
	}
}

// writable tries to write a file.
func writable(folder string) error {
	f, err := os.CreateTemp(folder, ".purecuda-*")
	if err == nil {
		_, err = f.Write(make([]byte, 4096))
		if e := f.Close(); err == nil {
			err = e
		}
		_ = os.Remove(f.Name())
	}
	var at *fs.PathError // of a file that is gone
	if errors.As(err, &at) {
		err = at.Err
	}
	if err != nil {
		return fmt.Errorf("%s can't be written: %w", folder, err)
	}
	return nil
}
