package compile

import (
	"time"

	"github.com/purecuda/purecuda/rtc/cache"
)

// storePatience is how long a Store may take that sets itself no time: a folder on a
// network may hang. It is a variable for a test.
var storePatience = 10 * time.Second

// guarded is s as a Service uses it: no call waits for ever or panics, and one that hangs is not
// followed by others.
func guarded(s cache.Store) cache.Store {
	switch s.(type) {
	case nil, *cache.Tiered, *cache.Memory, *cache.Archive: // they are so by themselves
		return s
	}
	return cache.NewTiered(cache.TieredConfig{Timeout: storePatience, WriteTimeout: storePatience}, s)
}
