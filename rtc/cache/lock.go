package cache

import (
	"context"
	"errors"
	"sync"
	"time"
)

// errHeld says that another has the lock.
var errHeld = errors.New("the lock is held")

// Lock waits until no other process, and nobody else in this one, holds key's
// lock: a file beside the entry, locked by the system, which frees it when its
// holder dies. Where there can be no such file, or the file system has no
// locks, it goes on without: two may then do the same, which is harmless. Its
// error is ctx's, or ErrClosed.
func (d *Disk) Lock(ctx context.Context, key Key) (unlock func(), err error) {
	if d == nil {
		return func() {}, ctx.Err()
	}
	file := d.file(key) + lockSuffix
	const longest = 25 * time.Millisecond
	for pause := time.Millisecond; ; pause = min(2*pause, longest) {
		if err := d.ready(ctx); err != nil {
			return nil, err
		}
		var held func()
		err := d.inFolder(file, func() (err error) {
			held, err = lockFile(file)
			return err
		})
		if err == nil {
			return sync.OnceFunc(held), nil
		}
		if !errors.Is(err, errHeld) {
			d.warn("the compile cache can't be locked: other processes may compile the same", err)
			return func() {}, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// lockSuffix ends the names of lock files. They exist while a lock is held.
const lockSuffix = ".lock"
