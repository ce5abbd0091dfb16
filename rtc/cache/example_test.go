package cache_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/purecuda/purecuda/rtc/cache"
)

func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	disk := cache.NewDisk(cache.DiskConfig{Dir: filepath.Join(dir, "kernels")})
	store := cache.NewTiered(cache.TieredConfig{}, cache.NewMemory(cache.MemoryConfig{}), disk)
	defer store.Close()

	key := cache.Key(sha256.Sum256([]byte("all that decides what the compiler makes")))
	_, err = store.Get(ctx, key)
	fmt.Println(errors.Is(err, cache.ErrMiss))

	unlock, err := store.Lock(ctx, key) // so that other processes wait and find it
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = store.Put(ctx, key, &cache.Entry{Kind: cache.PTX, Arch: "compute_80", Image: []byte(".version 8.4")})
	unlock()

	entry, err := store.Get(ctx, key)
	fmt.Println(entry.Kind, entry.Arch, string(entry.Image), err)

	var file bytes.Buffer // to embed in a program
	n, err := cache.Export(ctx, disk, &file)
	fmt.Println(n, err)
	// Output:
	// true
	// PTX compute_80 .version 8.4 <nil>
	// 1 <nil>
}
