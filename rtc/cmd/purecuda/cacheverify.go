package main

import (
	"context"
	"fmt"

	"github.com/purecuda/purecuda/rtc/cache"
)

// checked is what was found in a store, for programs.
type checked struct {
	Store   string    `json:"store"`
	Entries int       `json:"entries"` // that are whole
	Bytes   int64     `json:"bytes"`
	Damaged []damaged `json:"damaged"`
	Removed bool      `json:"removed"`
}

type damaged struct {
	Key    string `json:"key"`
	Reason string `json:"reason"`
}

func cacheVerify(ctx context.Context, args []string) error {
	c := newStoreCommand("verify")
	fix := c.flags.Bool("fix", false, "")
	asJSON := c.flags.Bool("json", false, "")
	if err := c.open(args, true); err != nil {
		return err
	}
	defer c.store.Close()
	look := cache.Verify
	if *fix {
		look = cache.Repair
	}
	r, err := look(ctx, c.store)
	if err != nil {
		return exit(lacking, err)
	}
	found := checked{Store: c.place(), Entries: r.Whole.Entries, Bytes: r.Whole.Bytes, Damaged: []damaged{}, Removed: *fix && len(r.Damaged) > 0}
	for _, d := range r.Damaged {
		found.Damaged = append(found.Damaged, damaged{d.Key.String(), d.Reason})
	}
	if *asJSON {
		if err := writeJSON(found); err != nil {
			return err
		}
	} else {
		found.print()
	}
	if len(found.Damaged) > 0 && !*fix {
		return &exitError{code: atFault}
	}
	return nil
}

func (c *checked) print() {
	fmt.Printf("%s\n%s whole, %s\n", printable(c.Store), count(c.Entries), size(c.Bytes))
	for _, d := range c.Damaged {
		fmt.Printf("damaged: %s: %s\n", d.Key, printable(d.Reason))
	}
	switch n := len(c.Damaged); {
	case n == 0:
		fmt.Println("none is damaged")
	case c.Removed:
		fmt.Printf("%s removed\n", count(n))
	default:
		fmt.Printf("%s damaged: they are compiled again when they are wanted; -fix removes them\n", count(n))
	}
}
