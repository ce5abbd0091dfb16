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

// unlessNull is a function that looks at a handle first, and says so where it is null, before it sees whether it can do anything at all. Early
// is what it wants even then.
func unlessNull(early need, handle int, code driver.Result, late need, do func(*Driver, *context, []uintptr) driver.Result) entry {
	return entry{early, func(d *Driver, _ *context, a []uintptr) driver.Result {
		if a[handle] == 0 {
			return code
		}
		ctx, r := d.able(late)
		if r != driver.Success {
			return r
		}
		return do(d, ctx, a)
	}}
}

// notNull refuses null for some of the arguments.
func notNull(do func(*Driver, *context, []uintptr) driver.Result, arguments ...int) func(*Driver, *context, []uintptr) driver.Result {
	return func(d *Driver, ctx *context, a []uintptr) driver.Result {
		for _, i := range arguments {
			if a[i] == 0 {
				return driver.InvalidValue
			}
		}
		return do(d, ctx, a)
	}
}

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
