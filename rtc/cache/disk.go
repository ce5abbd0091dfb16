package cache

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// DiskConfig says where a Disk keeps entries and how many. Its zero value
// works.
//
// Safe for concurrent use after it is made; its fields must not change.
type DiskConfig struct {
	// Dir is the folder; empty is purecuda in the user's cache folder
	// (os.UserCacheDir). It is made, for this user alone, when something is
	// stored. One that others can write to is not used.
	Dir string
	// MaxBytes bounds what all entries take; zero is 1 GiB. Beyond it what was
	// not used for the longest time goes.
	MaxBytes int64
	// Logger gets one warning when the folder can't be read, written or locked.
	// Nil: nobody does.
	Logger *slog.Logger
}

// A Disk is a Store in a folder, which processes and, by a network file system,
// machines may share. An entry is a file: written beside its place, synced and
// renamed, so that a process that dies leaves the old one, the new one, or
// none. What is read is held against its SHA-256. Where the folder is missing,
// read only, full or not this user's, it has no entries or takes none. Nil is one
// without a folder.
//
// Safe for concurrent use.
type Disk struct {
	counts  Counts
	dir     string
	dirErr  error // there is no user's cache folder
	max     int64
	log     *slog.Logger
	touch   time.Duration // how old the time of last use may get
	trusted atomic.Bool   // the folder was looked at and is this user's
	closed  atomic.Bool
	warned  sync.Once
}

// NewDisk makes a Disk. It touches nothing: the folder is looked at when it is
// first used.
func NewDisk(c DiskConfig) *Disk {
	d := &Disk{dir: c.Dir, max: c.MaxBytes, log: c.Logger, touch: time.Hour}
	if d.dir == "" {
		user, err := os.UserCacheDir()
		d.dir, d.dirErr = filepath.Join(user, "purecuda"), err
	} else if d.dir, d.dirErr = filepath.Abs(c.Dir); d.dirErr != nil {
		d.dir = c.Dir
	}
	if d.max <= 0 {
		d.max = 1 << 30
	}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	return d
}

// Dir is the folder; "" of nil.
func (d *Disk) Dir() string {
	if d == nil {
		return ""
	}
	return d.dir
}

// String says that it is a disk, and its folder.
func (d *Disk) String() string {
	if d == nil {
		return "no disk"
	}
	return "disk " + d.dir
}

// Get reads the entry under key. A file that is not what was put is a
// *DamagedError.
func (d *Disk) Get(ctx context.Context, key Key) (*Entry, error) {
	if d == nil {
		return nil, ErrMiss
	}
	if err := d.ready(ctx); err != nil {
		return nil, err
	}
	e, err := d.get(key, d.touch)
	d.counts.Get(err)
	if err != nil && !errors.Is(err, ErrMiss) {
		err = fmt.Errorf("cache: get: %w", err)
		d.warn("the compile cache can't be read: kernels are compiled again", err)
	}
	return e, err
}

// peek is Get that leaves no trace of use.
func (d *Disk) peek(ctx context.Context, key Key) (*Entry, error) {
	if d == nil {
		return nil, ErrMiss
	}
	if err := d.ready(ctx); err != nil {
		return nil, err
	}
	return d.get(key, math.MaxInt64)
}

// get reads an entry and, if the time of its last use is older than touch, sets
// that.
func (d *Disk) get(key Key, touch time.Duration) (*Entry, error) {
	err := d.trust()
	var f *os.File
	if err == nil {
		f, err = openEntry(d.file(key))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMiss
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || !ours(info) {
		return nil, &DamagedError{Key: key, Reason: "its file is not a regular one of this user's"}
	}
	if info.Size() > maxEntry {
		return nil, &DamagedError{Key: key, Reason: "its file is too large"}
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, &DamagedError{Key: key, Reason: "it is cut short"}
	} else if err != nil {
		return nil, err
	}
	e, err := Decode(key, data)
	if now := time.Now(); err == nil && now.Sub(info.ModTime()) > touch {
		_ = os.Chtimes(f.Name(), time.Time{}, now) // the time of last use; where it can't be set, that of making serves
	}
	return e, err
}

// Put writes the entry.
func (d *Disk) Put(ctx context.Context, key Key, e *Entry) error {
	switch {
	case d == nil:
		return ErrReadOnly
	case e == nil:
		return errNoEntry
	}
	if err := d.ready(ctx); err != nil {
		return err
	}
	if e.bytes() > min(maxEntry, d.max) {
		d.counts.failed.Add(1)
		return ErrTooLarge
	}
	data := Encode(key, e)
	err := d.write(key, data)
	d.counts.Put(err)
	if err != nil {
		err = fmt.Errorf("cache: put: %w", err)
		d.warn("the compile cache can't be written: what is compiled is not kept", err)
		return err
	}
	d.grown(ctx, int64(len(data)))
	return nil
}

func (d *Disk) warn(message string, err error) {
	d.warned.Do(func() { d.log.Warn(message, "folder", d.dir, "error", err) })
}

// Stats returns what this Disk counted so far, not what other processes did.
func (d *Disk) Stats() Stats {
	if d == nil {
		return Stats{}
	}
	return d.counts.Stats()
}

// Close ends the use of the Disk. Entries stay.
func (d *Disk) Close() error {
	if d != nil {
		d.closed.Store(true)
	}
	return nil
}

// ready tells whether a call may begin.
func (d *Disk) ready(ctx context.Context) error {
	if d.closed.Load() {
		return ErrClosed
	}
	return ctx.Err()
}

// maxEntry is more than an entry takes, and what a wrong file can have read.
const maxEntry = 256 << 20

// file is where key's entry lies: two levels, since folders of many thousand
// files are slow on some file systems.
func (d *Disk) file(key Key) string {
	name := key.String()
	return filepath.Join(d.dir, name[:2], name[2:])
}
