package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/purecuda/purecuda/rtc/cache"
)

func cacheExport(ctx context.Context, args []string) error {
	c := newStoreCommand("export")
	if err := c.open(args, true, "FILE"); err != nil {
		return err
	}
	defer c.store.Close()
	var n int
	held, err := cache.UsageOf(ctx, c.store)
	if err != nil {
		return exit(lacking, err)
	}
	err = writeFile(c.words[0], func(w io.Writer) (err error) {
		n, err = cache.Export(ctx, c.store, w)
		return err
	})
	if err != nil {
		return exit(lacking, err)
	}
	if left := held.Entries - n; left > 0 {
		fmt.Fprintf(os.Stderr, "purecuda: warning: %s damaged and left out; \"purecuda cache verify\" says which\n", count(left))
	}
	fmt.Fprintf(os.Stderr, "%s of %s exported to %s\n", count(n), printable(c.place()), printable(fileOrStream(c.words[0], "standard output")))
	return nil
}

func cacheImport(ctx context.Context, args []string) error {
	c := newStoreCommand("import")
	if err := c.open(args, false, "FILE"); err != nil {
		return err
	}
	defer c.store.Close()
	file := fileOrStream(c.words[0], "standard input")
	archive, err := awaited(ctx, "cache: import", func() (*cache.Archive, error) {
		f := os.Stdin
		if c.words[0] != "-" {
			var err error
			if f, err = os.Open(c.words[0]); err != nil {
				return nil, exit(usage, err)
			}
			defer f.Close()
		}
		return cache.ReadArchive(f)
	})
	var ended *exitError
	var unread *fs.PathError
	switch {
	case errors.As(err, &ended):
		return err
	case errors.As(err, &unread):
		return exit(usage, fmt.Errorf("%s can't be read: %w", file, unread.Err))
	case err != nil:
		return exit(atFault, fmt.Errorf("%s: %w", file, err))
	}
	// All of it or nothing, as far as that can be told beforehand.
	if r, err := cache.Verify(ctx, archive); err != nil {
		return err
	} else if len(r.Damaged) > 0 {
		return exit(atFault, fmt.Errorf("%s: nothing is imported: %w", file, r.Damaged[0]))
	}
	n, err := archive.CopyTo(ctx, c.store)
	if errors.Is(err, cache.ErrReadOnly) {
		return usageError("cache", "import: %s takes no entries", c.place())
	}
	if err != nil {
		return exit(lacking, err)
	}
	fmt.Fprintf(os.Stderr, "%s of %s imported into %s\n", count(n), printable(file), printable(c.place()))
	return nil
}

// fileOrStream is what a file is called, or what - stands for.
func fileOrStream(file, stream string) string {
	if file == "-" {
		return stream
	}
	return file
}
