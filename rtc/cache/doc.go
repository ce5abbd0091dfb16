// Package cache keeps what a compiler made, so that it is made once.
//
// A Store maps a Key, the SHA-256 of all that decides a compile's output (made
// by package rtc/compile), to an Entry: the artifact and what belongs to it.
// Memory holds entries of this process, Disk those of a user on a machine or a
// network file system, Tiered puts one above the other; others join by
// Register and are opened by URL, as the Redis of the module
// rtc/cache/rediscache. Package cachetest holds a Store to what is promised here.
//
//	disk := cache.NewDisk(cache.DiskConfig{})
//	store := cache.NewTiered(cache.TieredConfig{}, cache.NewMemory(cache.MemoryConfig{}), disk)
//	entry, err := store.Get(ctx, key)
//	if err != nil { // compile, then
//		_ = store.Put(ctx, key, entry)
//	}
//
// A cache never decides whether a compile succeeds. What it can't read is a
// miss, what it can't write is made again another time, and an entry that is
// not, bit for bit, what was put under its key is never returned. What is
// stored is code that a GPU will run: a Disk takes entries only from a folder
// that nobody else can write to, and a shared tier should authenticate them.
// Disk.Problem says why one isn't used.
//
// The command purecuda (rtc/cmd/purecuda) counts, checks, empties, exports and
// imports what stores hold.
package cache
