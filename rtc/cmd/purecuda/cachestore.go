package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/purecuda/purecuda/rtc/cache"
)

// A storeCommand is a command of the cache, with the store that it is about.
type storeCommand struct {
	name  string
	flags *flags
	words []string // what stands before STORE
	store cache.Store
	named string // STORE, "" if none is given
}

func newStoreCommand(name string) *storeCommand {
	return &storeCommand{name: name, flags: newFlags("cache")}
}

// open reads the command line, which has so many words before STORE, called as
// in what, and opens the store. One that is named must exist if it is to be read.
func (c *storeCommand) open(args []string, read bool, what ...string) error {
	rest, behind, err := c.flags.parse(args)
	if err != nil {
		return err
	}
	rest = append(rest, behind...)
	if len(rest) < len(what) {
		return usageError("cache", "%s: no %s is given", c.name, what[len(rest)])
	}
	if len(rest) > len(what)+1 {
		return usageError("cache", "%s: %q is one too many", c.name, rest[len(what)+1])
	}
	c.words = rest[:len(what)]
	if len(rest) > len(what) {
		if c.named = rest[len(what)]; c.named == "" {
			return usageError("cache", "%s: the name of the store is empty", c.name)
		}
	}
	if c.store, err = openStore("cache", c.named, cache.OpenConfig{}); err != nil {
		return err
	}
	if disk, ok := c.store.(*cache.Disk); ok && read && c.named != "" {
		if _, err := os.Stat(disk.Dir()); errors.Is(err, fs.ErrNotExist) {
			return exit(usage, fmt.Errorf("cache: %s: there is no folder or file %s", c.name, disk.Dir()))
		}
	}
	return nil
}

// place is what the store is called.
func (c *storeCommand) place() string {
	if _, ok := c.store.(*cache.Archive); ok {
		return "archive " + c.named
	}
	return fmt.Sprint(c.store) // without passwords
}

// count is a number of entries in words.
func count(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// size is a number of bytes in words.
func size(n int64) string {
	const unit = 1024
	switch {
	case n < unit:
		return fmt.Sprintf("%d bytes", n)
	case n < unit*unit:
		return fmt.Sprintf("%.1f KiB", float64(n)/unit)
	case n < unit*unit*unit:
		return fmt.Sprintf("%.1f MiB", float64(n)/unit/unit)
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/unit/unit/unit)
}
