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
		err := d.ready(ctx)
		if err == nil {
			err = d.trust()
		}
		if err == nil {
			err = d.walk(ctx, func(file string, info fs.FileInfo) error {
				key, ok := keyOf(file)
				if ok && !yield(Info{Key: key, Bytes: info.Size(), Used: info.ModTime()}, nil) {
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
	err := d.ready(ctx)
	if err == nil {
		err = d.trust()
	}
	if err == nil {
		err = os.Remove(d.file(key))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// walk calls f for every regular file in the folders of the second level, until
// an error.
func (d *Disk) walk(ctx context.Context, f func(file string, info fs.FileInfo) error) error {
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
			info, err := entry.Info()
			if err != nil || !info.Mode().IsRegular() {
				continue // it went meanwhile, or is none of ours
			}
			if err := f(filepath.Join(d.dir, shard.Name(), entry.Name()), info); err != nil {
				return err
			}
		}
	}
	return nil
}

// keyOf is the key whose entry lies in file.
func keyOf(file string) (Key, bool) {
	key, err := ParseKey(filepath.Base(filepath.Dir(file)) + filepath.Base(file))
	return key, err == nil
}
