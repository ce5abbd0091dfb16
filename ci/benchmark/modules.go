//go:build !rtcalone

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// moduleCaches has rtc.NewModule of what disk, or memory, has beside its compile.
func moduleCaches(folder string, c *nvrtc.Compiler, rounds int) (comparison, error) {
	dir := filepath.Join(folder, "modules-"+c.Version().String())
	stores := []cache.Store{nil, cache.NewDisk(cache.DiskConfig{Dir: dir}), cache.NewMemory(cache.MemoryConfig{})}
	names := []string{"rtc.NewModule, compiled", "rtc.NewModule, from disk", "rtc.NewModule, from memory"}
	seed := int(time.Now().UnixNano() % 1e6)
	var ways []way
	for i, store := range stores {
		service := compile.NewService(compile.Config{Compiler: c, Store: store})
		defer service.Close()
		module := func(seed int) error {
			mod, err := rtc.NewModuleContext(context.Background(), source(seed), rtc.ModuleConfig{Compiler: c, Service: service, Options: []string{"-arch=sm_80"}})
			if err != nil {
				return err
			}
			return mod.Close()
		}
		if store == nil {
			ways = append(ways, times(names[i], func() error { seed++; return module(seed) }))
			ways[0].once = nil // what a compile allocates is no matter
			continue
		}
		if err := module(1); err != nil {
			return comparison{}, err
		}
		ways = append(ways, times(names[i], func() error { return module(1) }))
	}
	result, err := compare(ways, max(1, rounds/10), 1, nil)
	return comparison{Title: fmt.Sprintf("rtc.NewModule of a small kernel, NVRTC %s", c.Version()), Ways: result}, err
}
