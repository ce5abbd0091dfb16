//go:build !rtcalone

package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// The size of what the caches hold: an entry of a cubin of 20 KB, beside as many others.
const (
	cubinSize  = 20_000
	memoryHeld = 500
)

// How much is a block of what takes well under a microsecond, and of what takes some ten.
const (
	memoryBlock = 2000
	diskBlock   = 4
)

// numbered is the n-th of many keys.
func numbered(n int) cache.Key { return sha256.Sum256([]byte{byte(n), byte(n >> 8)}) }

// cubin is an entry of cubinSize with something in all its fields.
func cubin(n int) *cache.Entry {
	image := make([]byte, cubinSize)
	for i := range image {
		image[i] = byte(i*n>>3 + i*i)
	}
	return &cache.Entry{Kind: cache.CUBIN, Arch: "sm_90", Image: image, PTX: make([]byte, 2000), Compiler: "NVRTC 12.4",
		Lowered: map[string]string{"axpy<float>": "_Z4axpyIfEvPKT_PS0_S0_"}}
}

// memoryHits has hits in memory beside a look into a map under a lock.
func memoryHits(rounds int) (comparison, error) {
	ctx := context.Background()
	m := cache.NewMemory(cache.MemoryConfig{})
	s := cache.NewTiered(cache.TieredConfig{}, m)
	keys, plain := make([]cache.Key, memoryHeld), map[cache.Key]*cache.Entry{}
	for i := range keys {
		keys[i] = numbered(i)
		plain[keys[i]] = cubin(i)
		if err := m.Put(ctx, keys[i], plain[keys[i]]); err != nil {
			return comparison{}, err
		}
	}
	var mu sync.Mutex
	var sink *cache.Entry
	next := 0
	key := func() cache.Key { next = (next + 7) % memoryHeld; return keys[next] }
	ways, err := compare([]way{
		times("a map under a mutex", func() error {
			mu.Lock()
			sink = plain[key()]
			mu.Unlock()
			return nil
		}),
		times("cache.Memory.Get", func() (err error) { sink, err = m.Get(ctx, key()); return err }),
		times("cache.Tiered.Get, in memory", func() (err error) { sink, err = s.Get(ctx, key()); return err }),
	}, rounds, memoryBlock, nil)
	_ = sink
	c := comparison{Title: "A hit in memory, with the key at hand", Ways: ways}
	for _, w := range []string{"cache.Memory.Get", "cache.Tiered.Get, in memory"} {
		c.Bounds = append(c.Bounds, bound{Way: w, Kind: boundTime, AtMost: 1000}, bound{Way: w, Kind: boundAllocs})
	}
	return c, err
}

// diskHits has a hit on disk beside what it can't do without: opening and reading the file, and its SHA-256.
func diskHits(folder string, rounds int) (comparison, error) {
	ctx := context.Background()
	disk := cache.NewDisk(cache.DiskConfig{Dir: filepath.Join(folder, "disk")})
	key := numbered(1)
	if err := disk.Put(ctx, key, cubin(1)); err != nil {
		return comparison{}, err
	}
	name := key.String()
	file := filepath.Join(disk.Dir(), name[:2], name[2:])
	s := cache.NewTiered(cache.TieredConfig{}, disk)
	var sum [sha256.Size]byte
	ways, err := compare([]way{
		times("open, read, SHA-256", func() error {
			data, err := os.ReadFile(file)
			sum = sha256.Sum256(data)
			return err
		}),
		times("cache.Disk.Get", func() error { _, err := disk.Get(ctx, key); return err }),
		times("cache.Tiered.Get, on disk", func() error { _, err := s.Get(ctx, key); return err }),
	}, rounds, diskBlock, nil)
	_ = sum
	return comparison{Title: "A hit on disk, of a cubin of 20 KB", Ways: ways,
		Bounds: []bound{{Way: "cache.Disk.Get", Kind: boundRatio, AtMost: 2}}}, err
}

// The source that keys are made for has a kilobyte, its headers twenty each, and each includes the next.
const headerCount = 20

// keyRequests writes headers to a folder and gives a request without and one with them.
func keyRequests(folder string, c *nvrtc.Compiler) (alone, with compile.Request, headers []string, err error) {
	for i := range headerCount {
		name := filepath.Join(folder, fmt.Sprintf("h%d.h", i))
		text := strings.Repeat("#define SOMETHING(x) /* and what it means */ ((x) + 1)\n", 380)
		if i+1 < headerCount {
			text = fmt.Sprintf("#include \"h%d.h\"\n", i+1) + text
		}
		if err = os.WriteFile(name, []byte(text), 0o600); err != nil {
			return alone, with, nil, err
		}
		headers = append(headers, name)
	}
	alone = compile.Request{
		Compiler: c, Name: "kernel.cu", Options: []string{"--gpu-architecture=sm_90", "--std=c++17"}, Exports: []string{"axpy<float>"},
		Source: strings.Repeat("// A kernel of a thousand bytes.\n", 30),
	}
	with = alone
	with.Source += "#include <h0.h>\n"
	with.Options = append(with.Options[:2:2], "-I"+folder)
	return alone, with, headers, nil
}

// keys has the making of keys beside the SHA-256 of all that goes into them, and a request that finds its result in memory beside both.
func keys(folder string, c *nvrtc.Compiler, rounds int) ([]comparison, error) {
	ctx := context.Background()
	alone, with, headers, err := keyRequests(folder, c)
	if err != nil {
		return nil, err
	}
	store := cache.NewMemory(cache.MemoryConfig{})
	s := compile.NewService(compile.Config{Compiler: c, Store: store})
	defer s.Close()
	forgets := compile.NewService(compile.Config{Compiler: c}) // nothing, so that a look is the making of the key
	defer forgets.Close()
	key := func(r compile.Request) (cache.Key, error) {
		found, err := forgets.Lookup(ctx, r)
		if err != nil {
			return cache.Key{}, err
		}
		if found.Uncached != "" {
			return cache.Key{}, fmt.Errorf("there is no key, because of %s", found.Uncached)
		}
		return found.Key, nil
	}
	makes := func(name string, r compile.Request) way {
		return times(name, func() error { _, err := key(r); return err })
	}
	known, err := key(alone)
	if err == nil {
		err = store.Put(ctx, known, cubin(1))
	}
	if err != nil {
		return nil, err
	}
	var sum [sha256.Size]byte
	small, err := compare([]way{
		times("SHA-256 of the source", func() error { sum = sha256.Sum256([]byte(alone.Source)); return nil }),
		makes("the key", alone),
		times("compile.Service.Lookup, in memory", func() error { _, err := s.Lookup(ctx, alone); return err }),
		times("compile.Service.Submit, Job.Wait, in memory", func() error {
			j, err := s.Submit(ctx, alone)
			if err == nil {
				_, err = j.Wait(ctx)
			}
			return err
		}),
	}, rounds, 50, nil)
	if err != nil {
		return nil, err
	}
	read := times("read and SHA-256 of the headers", func() error {
		for _, h := range headers {
			data, err := os.ReadFile(h)
			if err != nil {
				return err
			}
			sum = sha256.Sum256(data)
		}
		return nil
	})
	look := times("stat of the headers", func() error {
		for _, h := range headers {
			if _, err := os.Stat(h); err != nil {
				return err
			}
		}
		return nil
	})
	// Who changed a header less than three seconds ago has it read each time.
	touched := makes("the key, of headers that are new", with)
	block := touched.block
	touched.block = func(n int) (time.Duration, error) {
		now := time.Now()
		for _, h := range headers {
			if err := os.Chtimes(h, now, now); err != nil {
				return 0, err
			}
		}
		return block(n)
	}
	fresh, err := compare([]way{read, touched}, max(1, rounds/4), 1, nil)
	if err != nil {
		return nil, err
	}
	time.Sleep(3100 * time.Millisecond)
	seen, err := compare([]way{look, makes("the key, of headers that are known", with)}, rounds, 2, nil)
	_ = sum
	return []comparison{
		{Title: "The key of a source of 1 KB, and a request that memory has", Ways: small},
		{Title: "The key with 20 headers of 20 KB, read before", Ways: seen},
		{Title: "The key with 20 headers of 20 KB, new ones", Ways: fresh},
	}, err
}
