package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// mostSource is how much a source may have: what is longer is no source, or has no end.
const mostSource = 256 << 20

// source reads a source: a file, or standard input.
func source(file string) (string, error) {
	f, name := os.Stdin, "standard input"
	if file != "-" {
		var err error
		if f, err = os.Open(file); err != nil {
			return "", err
		}
		defer f.Close()
		name = file
	}
	text, err := io.ReadAll(io.LimitReader(f, mostSource+1))
	var path *fs.PathError
	switch {
	case errors.As(err, &path):
		path.Path = name
		return "", err
	case err == nil && len(text) > mostSource:
		return "", fmt.Errorf("%s has more than %d MiB", name, mostSource>>20)
	}
	return string(text), err
}
