package cache

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Disk's bound is kept by all processes together without one knowing the
// others: the length of this file is about the KiB of all entries. A
// writer appends a byte for each KiB that it wrote; when that gets over the
// bound, it counts anew, removes what was not used for the longest time, and
// sets the length right.
const sizeFile = "purecuda.size"

func kib(bytes int64) int64 { return bytes/1024 + 1 }

// grown makes room, if need be, after an entry of n bytes was written.
func (d *Disk) grown(ctx context.Context, n int64) {
	file := filepath.Join(d.dir, sizeFile)
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		_ = os.Remove(file) // to open a pipe would wait
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	_, err = f.Write(make([]byte, kib(n)))
	info, err2 := f.Stat()
	f.Close()
	// One that begins here says nothing of what was there before.
	if err != nil || err2 != nil || info.Size() > d.max/1024 || info.Size() == kib(n) {
		_, _ = d.Trim(ctx)
	}
}

// Trim removes what writers left that died, and entries, those first that were
// not used for the longest time, until a good deal of the bound is free. It
// does nothing while another process does it.
func (d *Disk) Trim(ctx context.Context) (evicted int, err error) {
	if d == nil {
		return 0, nil
	}
	if err := d.ready(ctx); err != nil {
		return 0, err
	}
	if err := d.trust(); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return 0, nil
		}
		return 0, err
	}
	unlock, err := lockFile(filepath.Join(d.dir, "purecuda"+lockSuffix))
	if errors.Is(err, errHeld) {
		return 0, nil
	} else if err == nil { // without locks two may do it
		defer unlock()
	}

	type entry struct {
		file string
		info fs.FileInfo
	}
	var entries []entry
	var total int64
	long := time.Now().Add(-abandoned)
	err = d.walk(ctx, func(file string, _ Key, beside string, info fs.FileInfo) error {
		switch old := info.ModTime().Before(long); {
		case beside == "":
			entries = append(entries, entry{file, info})
			total += kib(info.Size())
		case old && beside == lockSuffix:
			if unlock, err := lockFile(file); err == nil {
				unlock() // which removes it
			}
		case old && strings.HasPrefix(beside, newMark):
			_ = os.Remove(file)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	if bound := d.max / 1024; total > bound {
		slices.SortFunc(entries, func(a, b entry) int {
			return cmp.Or(a.info.ModTime().Compare(b.info.ModTime()), strings.Compare(a.file, b.file))
		})
		for _, e := range entries[:len(entries)-1] { // what was just put stays
			if total <= bound-bound/8 {
				break
			}
			if os.Remove(e.file) == nil {
				evicted++
			}
			total -= kib(e.info.Size())
		}
	}
	d.counts.evicted.Add(uint64(evicted))
	_ = os.Truncate(filepath.Join(d.dir, sizeFile), total) // where there is one, and it may be written
	return evicted, nil
}

// abandoned is the age of a file that no living writer has.
const abandoned = time.Hour
