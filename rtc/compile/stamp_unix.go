//go:build linux || darwin

package compile

import (
	"io/fs"
	"syscall"
	"time"
)

// identity is what else than size and time of change tells a file from what it
// was: where it lies, and when anything about it changed last, which nothing
// but the system's clock can set.
type identity struct {
	device, number uint64
	changed        time.Time
}

func identityOf(info fs.FileInfo) identity {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}
	}
	return identity{uint64(s.Dev), s.Ino, changed(s)}
}

// A serial is what a file has whatever its name is.
type serial struct{ device, number uint64 }

func (i identity) serial() serial { return serial{i.device, i.number} }
