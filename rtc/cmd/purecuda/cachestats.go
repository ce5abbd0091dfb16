package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/purecuda/purecuda/rtc/cache"
)

// usageOf is what a store holds, for programs.
type usageOf struct {
	Store   string     `json:"store"`
	Entries int        `json:"entries"`
	Bytes   int64      `json:"bytes"`
	Oldest  *time.Time `json:"oldest_use,omitempty"`
	Newest  *time.Time `json:"newest_use,omitempty"`
	Problem string     `json:"problem,omitempty"`
}

func cacheStats(ctx context.Context, args []string) error {
	c := newStoreCommand("stats")
	asJSON := c.flags.Bool("json", false, "")
	if err := c.open(args, true); err != nil {
		return err
	}
	defer c.store.Close()
	u, err := measure(ctx, c.store, c.place())
	if *asJSON {
		if err := writeJSON(u); err != nil {
			return err
		}
		if err != nil {
			return &exitError{code: lacking}
		}
		return nil
	}
	if err != nil {
		return exit(lacking, err)
	}
	fmt.Printf("%s\n%s, %s\n", printable(u.Store), count(u.Entries), size(u.Bytes))
	if u.Newest != nil {
		fmt.Printf("last used between %s and %s\n", u.Oldest.Format(time.DateTime), u.Newest.Format(time.DateTime))
	}
	if u.Problem != "" {
		fmt.Printf("problem: %s\n", printable(u.Problem))
	}
	return nil
}

// measure counts what the store called name holds. A folder that can only be read has a
// problem, and is counted.
func measure(ctx context.Context, s cache.Store, name string) (usageOf, error) {
	u := usageOf{Store: name}
	if disk, ok := s.(*cache.Disk); ok {
		if err := disk.Problem(); err != nil {
			u.Problem = err.Error()
		}
	}
	w, ok := s.(cache.Walker)
	if !ok {
		u.Problem = "it does not tell what it holds"
		return u, errors.New(u.Store + ": " + u.Problem)
	}
	for info, err := range w.All(ctx) {
		if err != nil {
			u.Problem = err.Error()
			return u, err
		}
		u.Entries++
		u.Bytes += info.Bytes
		if used := info.Used.UTC(); !used.IsZero() {
			if u.Oldest == nil || used.Before(*u.Oldest) {
				u.Oldest = &used
			}
			if u.Newest == nil || used.After(*u.Newest) {
				u.Newest = &used
			}
		}
	}
	return u, nil
}
