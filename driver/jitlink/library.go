package jitlink

import (
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/dl"
)

// A Library is a loaded nvJitLink.
//
// Safe for concurrent use.
type Library struct {
	api *api
}

// A Config says which nvJitLink to open. The zero Config searches.
//
// Safe for concurrent use after it is made; its fields must not change.
type Config struct {
	// Path is the library, a file or a folder. Empty: search as package dl does.
	Path string
}

// Open finds nvJitLink and opens it.
func Open(c Config) (*Library, error) {
	var opened *Library
	_, err := dl.NVJitLink.OpenChecked(c.Path, func(lib *dl.Library) (err error) {
		opened, err = Bind(lib)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("jitlink: open: %w", err)
	}
	return opened, nil
}

// Bind uses the nvJitLink functions of r.
func Bind(r dl.Resolver) (*Library, error) {
	l := &Library{api: &api{table: dl.NewTable(r, decls)}}
	if !l.api.table.Has(fnCreate) {
		return nil, fmt.Errorf("jitlink: bind: %s has no nvJitLinkCreate", r.Path())
	}
	major, minor := new(uint32), new(uint32)
	if err := l.api.version(major, minor); err == nil {
		l.api.have = dl.Version{Major: int(*major), Minor: int(*minor)}
	} else if !errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("jitlink: version of %s: %w", r.Path(), err)
	}
	return l, nil
}

// Version is the CUDA version that this nvJitLink belongs to, the zero Version
// where it does not tell: before CUDA 12.3.
func (l *Library) Version() dl.Version { return l.api.have }

// Path is the file it was loaded from.
func (l *Library) Path() string { return l.api.table.Resolver().Path() }

// Functions lists the C functions that this package calls.
func Functions() []dl.Decl { return append([]dl.Decl(nil), decls...) }
