package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// writeFile has a file hold what write writes, all of it or none: it is written
// beside its place and renamed. "-" is standard output. What is there and no
// regular file, such as a device, is written as it is.
func writeFile(name string, write func(io.Writer) error) (err error) {
	if name == "-" {
		return write(os.Stdout)
	}
	place := name
	switch info, err := os.Stat(name); {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder", name)
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	case err == nil: // a link stays one
		if place, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	temp := fmt.Sprintf("%s.%08x.tmp", place, rand.Uint32())
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("%s can't be made: %w", name, cause(err))
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp)
			err = fmt.Errorf("%s can't be written: %w", name, cause(err))
		}
	}()
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(temp, place)
}

// cause is an error without the name of the file, which is not the one that
// the user named.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}
