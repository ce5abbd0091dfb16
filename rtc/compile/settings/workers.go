package settings

import (
	"fmt"
	"net/url"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// workers is how child processes compile; nil: they don't.
func (c Compiler) workers() (*worker.Config, error) {
	if c.Workers == 0 {
		for _, v := range []struct {
			key string
			set bool
		}{{"isolation", c.Isolation != ""}, {"memory_limit", c.MemoryLimit != ""}, {"read", len(c.Read) > 0}} {
			if v.set { // who wants it thinks that he has it
				return nil, fmt.Errorf("compiler.%s is of workers, and compiler.workers is 0", v.key)
			}
		}
		return nil, nil
	}
	w := &worker.Config{Workers: c.Workers, Read: c.Read}
	var err error
	if w.Isolation, err = worker.ParseIsolation(c.Isolation); err != nil {
		return nil, fmt.Errorf(`compiler.isolation is %q, not "auto", "required" or "off"`, c.Isolation)
	}
	if w.Memory, err = size("memory_limit", c.MemoryLimit); err != nil {
		return nil, err
	}
	return w, nil
}

// size reads a number of bytes as the URLs of stores have it.
func size(key, value string) (int64, error) {
	q := cache.NewQuery(&url.URL{RawQuery: url.Values{key: {value}}.Encode()})
	bytes := q.Size(key)
	if err := q.Err(); err != nil {
		return 0, fmt.Errorf("compiler.%w", err)
	}
	return bytes, nil
}
