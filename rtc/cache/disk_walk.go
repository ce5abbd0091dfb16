package cache

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
)

// All goes through the entries in the folder; one of other users' is an error.
func (d *Disk) All(ctx context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if d == nil {
			return
		}
		err := d.ready(ctx)
		if err == nil {
			err = d.trust()
		}
		if err == nil {
			err = d.walk(ctx, func(file string, key Key, beside string, info fs.FileInfo) error {
				if beside == "" && !yield(Info{Key: key, Bytes: info.Size(), Used: info.ModTime()}, nil) {
					return fs.SkipAll
				}
				return nil
			})
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.SkipAll) {
			yield(Info{}, err)
		}
	}
}

// Delete removes an entry.
func (d *Disk) Delete(ctx context.Context, key Key) error {
	if d == nil {
		return nil
	}
	err := d.ready(ctx)
	if err == nil {
		err = d.trust()
	}
	if err == nil {
		err = os.RemoveAll(d.file(key)) // a folder, too
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// walk calls f, until an error, for every entry, and what belongs to one: beside
// is what the name has after the entry's. All else in the folder is not ours.
func (d *Disk) walk(ctx context.Context, f func(file string, key Key, beside string, info fs.FileInfo) error) error {
	shards, err := os.ReadDir(d.dir)
	if err != nil {
		return err
	}
	for _, shard := range shards {
		if !shard.IsDir() || len(shard.Name()) != 2 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		files, _ := os.ReadDir(filepath.Join(d.dir, shard.Name())) // what there is of it
		for _, entry := range files {
			key, beside, ok := keyOf(shard.Name(), entry.Name())
			if !ok {
				continue
			}
			info, err := entry.Info()
			// A folder in an entry's place is a damaged one: none can be put there.
			if err != nil || !info.Mode().IsRegular() && (beside != "" || !info.IsDir()) {
				continue // it went meanwhile, or is not ours
			}
			if err := f(filepath.Join(d.dir, shard.Name(), entry.Name()), key, beside, info); err != nil {
				return err
			}
		}
	}
	return nil
}

// keyOf takes the names of folder and file apart.
func keyOf(shard, name string) (key Key, beside string, ok bool) {
	const digits = 2*len(key) - 2
	if len(name) < digits {
		return Key{}, "", false
	}
	key, err := ParseKey(shard + name[:digits])
	return key, name[digits:], err == nil && key.String() == shard+name[:digits] // not in capitals
}
