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
	text, err := content(file, mostSource)
	return string(text), err
}

// content reads a file, or standard input, of at most so many bytes.
func content(file string, most int64) ([]byte, error) {
	f, name := os.Stdin, "standard input"
	if file != "-" {
		var err error
		if f, err = os.Open(file); err != nil {
			return nil, err
		}
		defer f.Close()
		name = file
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	var path *fs.PathError
	switch {
	case errors.As(err, &path):
		path.Path = name
		return nil, err
	case err == nil && int64(len(text)) > most:
		return nil, fmt.Errorf("%s has more than %d MiB", name, most>>20)
	}
	return text, err
}
