package sim

import (
	"sync"

	"github.com/purecuda/purecuda/driver"
)

// An entry is a function that programs call. It has the driver's lock, and the words of the C function's arguments, which are
// the caller's again when it returns.
type entry struct {
	need need
	do   func(d *Driver, ctx *context, a []uintptr) driver.Result
}

// A need is what a function can't do without.
type need int

const (
	nothing need = iota // not even cuInit
	facts               // cuInit; it answers after a fault, too
	process             // that no fault has taken the devices
	bound               // that, and a current context, which is the entry's ctx
)

// entryOf is the function of a symbol that package driver binds. One that is not built answers NOT_SUPPORTED.
func entryOf(symbol string) entry {
	table.once.Do(func() {
		table.entries = map[string]entry{}
		for _, some := range []map[string]entry{generalEntries(), deviceEntries(), contextEntries(), moduleEntries(), libraryEntries(), linkEntries(),
			functionEntries(), memoryEntries(), poolEntries(), copyEntries(), hostEntries(), virtualEntries(), ipcEntries(), streamEntries(), eventEntries(),
			launchEntries(), captureEntries(), graphEntries(), nodeEntries(), execEntries()} {
			for symbol, e := range some {
				table.entries[symbol] = e
			}
		}
	})
	if e, ok := table.entries[symbol]; ok {
		return e
	}
	return entry{process, func(*Driver, *context, []uintptr) driver.Result { return driver.NotSupported }}
}

// table is made when it is first needed: what runs when a program starts would keep all of this in programs that don't use it.
var table struct {
	once    sync.Once
	entries map[string]entry
}
