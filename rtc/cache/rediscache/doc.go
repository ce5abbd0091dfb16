// Package rediscache is a cache.Store in Redis, shared by many machines: one
// server, Sentinel or a cluster.
//
//	import _ "github.com/purecuda/purecuda/rtc/cache/rediscache"
//
//	store, err := cache.Open("rediss://user:password@host:6379/0?ttl=720h&sign=/etc/purecuda/key", cache.OpenConfig{})
//
// A cubin is code that runs on the GPU of whoever reads it. Each entry carries
// its SHA-256, which tells accidents; give Config.Sign, keys that all machines
// share, and an entry that none of them signed is a miss.
//
// Put it below a memory and a disk, in a cache.Tiered, which leaves it out while
// it is slow or dead. The client, go-redis, writes what troubles it to a logger
// of its own, that of the process (redis.SetLogger).
package rediscache
