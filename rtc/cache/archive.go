package cache

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync/atomic"
)

// An archive is one file of entries: the magic and the version, each entry
// after its length of 8 bytes, and at the end a length of zero.
const archiveMagic = "\x89purca\r\n\x01\x00\x00\x00"

// Export writes every entry of a store, which must be a Walker, in the order of
// the keys, and returns how many there were. The file is read by Import and
// LoadArchive; a program that embeds it starts with a warm cache:
//
//	//go:embed kernels.cache
//	var kernels []byte
//
//	archive, err := cache.LoadArchive(kernels)
//	store := cache.NewTiered(cache.TieredConfig{}, cache.NewMemory(cache.MemoryConfig{}), archive, cache.NewDisk(cache.DiskConfig{}))
func Export(ctx context.Context, s Store, w io.Writer) (exported int, err error) {
	var keys []Key
	err = walk(ctx, "export", s, func(_ Walker, info Info) error {
		keys = append(keys, info.Key)
		return nil
	})
	if err != nil {
		return 0, err
	}
	slices.SortFunc(keys, Key.compare)
	if _, err := io.WriteString(w, archiveMagic); err != nil {
		return 0, fmt.Errorf("cache: export: %w", err)
	}
	for _, key := range keys {
		e, err := peek(ctx, s, key)
		if errors.Is(err, ErrMiss) {
			continue // damaged, or gone
		}
		if err == nil {
			data := Encode(key, e)
			_, err = w.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(data))))
			if err == nil {
				_, err = w.Write(data)
			}
		}
		if err != nil {
			return exported, fmt.Errorf("cache: export: %w", err)
		}
		exported++
	}
	if _, err := w.Write(make([]byte, 8)); err != nil {
		return exported, fmt.Errorf("cache: export: %w", err)
	}
	return exported, nil
}

// Import puts every entry of an archive into a store and returns how many. What
// is imported will run on the GPU: take archives from whom you take programs.
func Import(ctx context.Context, s Store, r io.Reader) (imported int, err error) {
	a, err := ReadArchive(r)
	if err != nil {
		return 0, fmt.Errorf("cache: import: %w", err)
	}
	return a.CopyTo(ctx, s)
}

// CopyTo puts every entry of an archive into a store and returns how many.
func (a *Archive) CopyTo(ctx context.Context, s Store) (copied int, err error) {
	if s == nil {
		return 0, fmt.Errorf("cache: import: %w", errNoStore)
	}
	for _, key := range a.keys() {
		e, err := a.Get(ctx, key)
		if err == nil {
			err = s.Put(ctx, key, e)
		}
		if err != nil {
			return copied, fmt.Errorf("cache: import: %w", err)
		}
		copied++
	}
	return copied, nil
}

// An Archive is a Store of what Export wrote. It takes no entries: Put is
// ErrReadOnly. Nil has none.
//
// Safe for concurrent use.
type Archive struct {
	counts  Counts
	entries map[Key][]byte
	closed  atomic.Bool
}

// LoadArchive reads what Export wrote. It keeps data; each entry is checked
// when it is got.
func LoadArchive(data []byte) (*Archive, error) {
	if len(data) < len(archiveMagic) || string(data[:8]) != archiveMagic[:8] {
		return nil, errors.New("cache: load archive: it is none: cache.Export writes them")
	}
	if string(data[:len(archiveMagic)]) != archiveMagic {
		return nil, errors.New("cache: load archive: it is of another version of the format: export it again")
	}
	a := &Archive{entries: map[Key][]byte{}}
	for at := len(archiveMagic); ; {
		if len(data)-at < 8 {
			return nil, fmt.Errorf("cache: load archive: it is cut short after %d entries", len(a.entries))
		}
		n := binary.LittleEndian.Uint64(data[at:])
		at += 8
		if n == 0 && at == len(data) {
			return a, nil
		}
		if n > uint64(len(data)-at) || n < uint64(headerSize) {
			return nil, fmt.Errorf("cache: load archive: it is damaged or cut short after %d entries", len(a.entries))
		}
		entry := data[at : at+int(n) : at+int(n)]
		key := Key(entry[keyAt:headerSize])
		if a.entries[key] != nil {
			return nil, fmt.Errorf("cache: load archive: it is damaged: it has entry %s twice", key)
		}
		a.entries[key] = entry
		at += int(n)
	}
}

// ReadArchive is LoadArchive of a file or a stream. What is no archive it reads no
// further than that shows.
func ReadArchive(r io.Reader) (*Archive, error) {
	data, err := archiveIn(r)
	if err != nil {
		return nil, fmt.Errorf("cache: read archive: %w", err)
	}
	return LoadArchive(data)
}

// archiveIn is the archive that r begins with, or as much of it as there is, with the
// first that is wrong.
func archiveIn(r io.Reader) ([]byte, error) {
	var data bytes.Buffer
	_, err := io.CopyN(&data, r, int64(len(archiveMagic)))
	for more := data.String() == archiveMagic; more && err == nil; {
		if _, err = io.CopyN(&data, r, 8); err != nil {
			break
		}
		n := binary.LittleEndian.Uint64(data.Bytes()[data.Len()-8:])
		if more = n >= uint64(headerSize) && n <= maxEntry; more {
			_, err = io.CopyN(&data, r, int64(n))
		} else if n == 0 {
			_, err = io.CopyN(&data, r, 1) // there is none
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data.Bytes(), err
}

// String says that it is an archive.
func (a *Archive) String() string { return "archive" }

// Get returns the entry under key.
func (a *Archive) Get(_ context.Context, key Key) (e *Entry, err error) {
	if a == nil {
		return nil, ErrMiss
	}
	if a.closed.Load() {
		return nil, ErrClosed
	}
	err = ErrMiss
	if data, ok := a.entries[key]; ok {
		e, err = Decode(key, data)
	}
	a.counts.Get(err)
	return e, err
}

// Put is ErrReadOnly.
func (a *Archive) Put(context.Context, Key, *Entry) error {
	if a != nil && a.closed.Load() {
		return ErrClosed
	}
	return ErrReadOnly
}

// Stats returns what was counted so far.
func (a *Archive) Stats() Stats {
	if a == nil {
		return Stats{}
	}
	return a.counts.Stats()
}

// Close ends the use of the Archive.
func (a *Archive) Close() error {
	if a != nil {
		a.closed.Store(true)
	}
	return nil
}

// All goes through the entries in the order of their keys.
func (a *Archive) All(context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		for _, key := range a.keys() {
			if !yield(Info{Key: key, Bytes: int64(len(a.entries[key]))}, nil) {
				return
			}
		}
	}
}

// Delete is ErrReadOnly.
func (a *Archive) Delete(context.Context, Key) error { return ErrReadOnly }

func (a *Archive) keys() []Key {
	if a == nil {
		return nil
	}
	keys := make([]Key, 0, len(a.entries))
	for key := range a.entries {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, Key.compare)
	return keys
}
