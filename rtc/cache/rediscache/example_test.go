package rediscache_test

import (
	"context"
	"fmt"

	"github.com/purecuda/purecuda/rtc/cache"
	_ "github.com/purecuda/purecuda/rtc/cache/rediscache"
)

// Three tiers: what another machine compiled is found in Redis and kept here.
func Example() {
	far, err := cache.Open("redis://cache.example.org:6379/0?ttl=720h&timeout=200ms", cache.OpenConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	store := cache.NewTiered(cache.TieredConfig{}, cache.NewMemory(cache.MemoryConfig{}), cache.NewDisk(cache.DiskConfig{}), far)
	defer store.Close()
	entry, err := store.Get(context.Background(), cache.Key{})
	fmt.Println(entry, err)
}
