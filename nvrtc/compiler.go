package nvrtc

import (
	"fmt"

	"github.com/purecuda/purecuda/dl"
)

// A Compiler is a loaded NVRTC.
//
// Safe for concurrent use.
type Compiler struct {
	api     *api
	version dl.Version
}

// A Config says which NVRTC to open. The zero Config searches.
type Config struct {
	Path string // a file
}

// Open opens NVRTC.
func Open(c Config) (*Compiler, error) {
	lib, err := dl.Open(c.Path)
	if err != nil {
		return nil, err
	}
	return Bind(lib)
}

// Bind uses the NVRTC functions of r.
func Bind(r dl.Resolver) (*Compiler, error) {
	c := &Compiler{api: &api{table: dl.NewTable(r, decls)}}
	major, minor := new(int32), new(int32)
	if err := c.api.version(major, minor); err != nil {
		return nil, fmt.Errorf("nvrtc: bind %s: %w", r.Path(), err)
	}
	c.version = dl.Version{Major: int(*major), Minor: int(*minor)}
	c.api.have = c.version
	return c, nil
}

// Version is the CUDA version that this NVRTC belongs to.
func (c *Compiler) Version() dl.Version { return c.version }

// Path is the file it was loaded from.
func (c *Compiler) Path() string { return c.api.table.Resolver().Path() }
