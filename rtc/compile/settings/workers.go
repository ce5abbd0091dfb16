package settings

import (
	"net/url"
	"path/filepath"

	"github.com/purecuda/purecuda/dl"
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
				return nil, wrong(v.key, " is of workers, and compiler.workers is 0")
			}
		}
		return nil, nil
	}
	w := &worker.Config{Workers: c.Workers, Read: c.Read}
	var err error
	if w.Isolation, err = worker.ParseIsolation(c.Isolation); err != nil {
		return nil, wrong("isolation", ` is %q, not "auto", "required" or "off"`, c.Isolation)
	}
	if w.Memory, err = size("memory_limit", c.MemoryLimit); err != nil {
		return nil, err
	}
	for i, folder := range c.Read {
		switch {
		case folder == "":
			return nil, wrong("read", "[%d] is empty", i)
		case !filepath.IsAbs(folder):
			return nil, wrong("read", "[%d] is %q: it must begin at the root, since a relative folder is another for each working directory", i, folder)
		}
	}
	return w, nil
}

// size reads a number of bytes as the URLs of stores have it.
func size(key, value string) (int64, error) {
	q := cache.NewQuery(&url.URL{RawQuery: url.Values{key: {value}}.Encode()})
	bytes := q.Size(key)
	if err := q.Err(); err != nil {
		return 0, &mistake{key, dl.Shorten(err.Error())}
	}
	return bytes, nil
}
