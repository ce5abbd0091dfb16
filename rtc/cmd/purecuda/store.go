package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/redis/go-redis/v9/logging"

	"github.com/purecuda/purecuda/rtc/cache"
	_ "github.com/purecuda/purecuda/rtc/cache/rediscache" // redis:// and its like
)

// What troubles the client of Redis is in the errors, too.
func init() { logging.Disable() }

// errOff says that there is no cache, as somebody wants it.
var errOff = fmt.Errorf("%w: name a folder or a URL", cache.ErrOff)

var scheme = regexp.MustCompile(`^[a-z][a-z0-9+.-]+:`) // longer than a drive

// openStore opens what a command line calls a store: "" is the user's cache, the
// others are a folder, an archive's file, a URL, and off.
func openStore(command, name string, c cache.OpenConfig) (cache.Store, error) {
	switch {
	case name == "":
		if disk := cache.Default(c); disk != nil {
			return disk, nil
		}
		return nil, exit(usage, errOff)
	case strings.EqualFold(name, "off"):
		return nil, exit(usage, errOff)
	case strings.HasPrefix(name, "memory:"):
		return nil, usageError(command, "%s is of one process, and empty when that begins", name)
	case scheme.MatchString(name):
		s, err := cache.Open(name, c)
		if err != nil {
			return nil, exit(usage, err)
		}
		return s, nil
	}
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, exit(usage, err)
		}
		archive, err := cache.LoadArchive(data)
		if err != nil {
			return nil, exit(usage, errors.New(name+": "+err.Error()))
		}
		return archive, nil
	}
	return cache.NewDisk(cache.DiskConfig{Dir: name, Logger: c.Logger}), nil
}
