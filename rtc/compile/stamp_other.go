//go:build !linux && !darwin

package compile

import (
	"io/fs"
	"time"
)

// identity is nothing more than size and time of change.
type identity struct{ changed time.Time }

func identityOf(info fs.FileInfo) identity { return identity{info.ModTime()} }

// A serial, which would be what a file has whatever its name is, is not known here.
type serial struct{}

func (identity) serial() serial { return serial{} }
