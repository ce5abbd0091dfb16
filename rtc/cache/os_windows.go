package cache

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"
)

// Windows refuses what others have open in another way than POSIX; it lasts as
// long as their read or write.
const (
	errSharing  = syscall.Errno(32) // ERROR_SHARING_VIOLATION
	patience    = 500 * time.Millisecond
	firstPause  = time.Millisecond
	longestWait = 50 * time.Millisecond
)

// patiently repeats f for a while as long as it ends with one of errs.
func patiently(f func() error, errs ...syscall.Errno) (err error) {
	began := time.Now()
	for pause := firstPause; ; pause = min(2*pause, longestWait) {
		err = f()
		if !slices.ContainsFunc(errs, func(e syscall.Errno) bool { return errors.Is(err, e) }) || time.Since(began) > patience {
			return err
		}
		time.Sleep(pause)
	}
}

// openEntry opens a file to read.
func openEntry(file string) (f *os.File, err error) {
	err = patiently(func() error {
		f, err = os.Open(file)
		return err
	}, errSharing)
	return f, err
}

// ours and othersWrite trust the folder's access list, which a folder of the
// user's profile inherits.
func ours(fs.FileInfo) bool        { return true }
func othersWrite(fs.FileInfo) bool { return false }

// replace renames temp to file. Where a reader keeps the old file open to the
// end, that one stays: it has the same contents.
func replace(temp, file string) error {
	err := patiently(func() error { return os.Rename(temp, file) }, errSharing, syscall.ERROR_ACCESS_DENIED)
	if err != nil {
		if _, there := os.Stat(file); there == nil {
			return os.Remove(temp)
		}
	}
	return err
}

// lockFile opens a file for itself alone, or returns errHeld. The system
// removes it when it is closed, also by the end of the process.
func lockFile(file string) (unlock func(), err error) {
	const (
		alone         = 0          // no sharing
		remove        = 0x00010000 // DELETE
		deleteOnClose = 0x04000000 // FILE_FLAG_DELETE_ON_CLOSE
	)
	name, err := syscall.UTF16PtrFromString(file)
	if err != nil {
		return nil, err
	}
	var h syscall.Handle
	err = patiently(func() error { // access is denied to a file that is about to go
		h, err = syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE|remove, alone, nil,
			syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL|deleteOnClose, 0)
		return err
	}, syscall.ERROR_ACCESS_DENIED)
	switch {
	case err == nil:
		return func() { syscall.CloseHandle(h) }, nil
	case errors.Is(err, errSharing):
		return nil, errHeld
	}
	return nil, &fs.PathError{Op: "lock", Path: file, Err: err}
}
