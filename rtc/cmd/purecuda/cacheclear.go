package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/purecuda/purecuda/rtc/cache"
)

func cacheClear(ctx context.Context, args []string) error {
	c := newStoreCommand("clear")
	yes := c.flags.Bool("y", false, "")
	if err := c.open(args, true); err != nil {
		return err
	}
	defer c.store.Close()
	if _, ok := c.store.(*cache.Archive); ok {
		return usageError("cache", "clear: an archive is one file: remove that")
	}
	if !*yes {
		if !terminal(os.Stdin) {
			return usageError("cache", "clear: nobody is here to be asked: give -y to remove every entry of %s", c.place())
		}
		u, err := measure(ctx, c.store, c.place())
		if err != nil {
			return exit(lacking, err)
		}
		fmt.Fprintf(os.Stderr, "Remove %s, %s, of %s? [y/N] ", count(u.Entries), size(u.Bytes), printable(u.Store))
		answer, err := awaited(ctx, "cache: clear", func() (string, error) {
			answer, _ := bufio.NewReader(os.Stdin).ReadString('\n')
			return answer, nil
		})
		if err != nil {
			return err
		}
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "y", "yes":
		default:
			fmt.Fprintln(os.Stderr, "nothing is removed")
			return nil
		}
	}
	n, err := cache.Clear(ctx, c.store)
	if err != nil {
		return exit(lacking, err)
	}
	fmt.Printf("%s\n%s removed\n", printable(c.place()), count(n))
	return nil
}
