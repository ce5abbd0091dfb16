package main

import (
	"context"
	"errors"
	"os"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/settings"
)

// settings is how to compile: by -config, or as rtc.NewModule does. The store is
// the caller's to close.
func (j *compileJob) settings(ctx context.Context) (compile.Config, cache.Store, error) {
	var c compile.Config
	open := cache.OpenConfig{Logger: logTo(os.Stderr)}
	if j.config != "" {
		s, err := awaited(ctx, "compile", func() (settings.Settings, error) { return settings.Load(j.config) })
		if err == nil {
			c, err = s.Config(open)
		}
		if err != nil {
			return c, nil, exit(usage, err)
		}
	} else {
		store, err := openStore("compile", j.store, open)
		if err != nil && !errors.Is(err, cache.ErrOff) {
			return c, nil, err
		}
		if _, ok := store.(*cache.Archive); ok && j.warm {
			return c, nil, usageError("compile", "-warm: the archive %s takes no entries", j.store)
		}
		if store != nil {
			c.Store = cache.NewTiered(cache.TieredConfig{Logger: open.Logger}, cache.NewMemory(cache.MemoryConfig{}), store)
		}
	}
	if j.warm || j.list {
		if err := usable(c.Store); err != nil {
			return c, nil, errors.Join(err, closeStore(c.Store))
		}
	}
	if j.threads > 0 {
		c.MaxThreads = j.threads
	}
	if j.timeout > 0 {
		c.Timeout = j.timeout
	}
	return c, c.Store, nil
}

// usable tells why nothing can be kept in a store, for those who want nothing
// else of it.
func usable(s cache.Store) error {
	switch s := s.(type) {
	case nil:
		return exit(usage, errors.New("compile: there is no cache: -cache, PURECUDA_CACHE or the file of -config turns it off"))
	case *cache.Tiered:
		lasting := 0
		for _, tier := range s.Tiers() {
			if _, ok := tier.Store.(*cache.Memory); !ok {
				lasting++
			}
			if disk, ok := tier.Store.(*cache.Disk); ok {
				if err := disk.Problem(); err != nil {
					return exit(lacking, err)
				}
			}
		}
		if lasting == 0 {
			return exit(usage, errors.New("compile: the cache is memory alone, and ends with this process"))
		}
	}
	return nil
}

func closeStore(s cache.Store) error {
	if s == nil {
		return nil
	}
	return s.Close()
}
