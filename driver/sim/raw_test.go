package sim_test

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// raw calls a function as C would, for what package driver does not do. Pointers are converted in the call itself.
//
//go:uintptrescapes
func (r *rig) raw(t testing.TB, symbol string, args ...uintptr) driver.Result {
	t.Helper()
	f, err := r.sim.Lookup(symbol)
	require.NoError(t, err)
	return driver.Result(int32(f.CallSlice(args)))
}

// current makes the rig's context current on the thread of the test.
func (r *rig) current(t testing.TB, f func()) {
	t.Helper()
	require.NoError(t, r.ctx.Do(func() error {
		f()
		return nil
	}))
}

// create calls a function that makes something, and whose first word says where to put it.
func (r *rig) create(t testing.TB, symbol string, out *uintptr, args ...uintptr) driver.Result {
	t.Helper()
	args = append(args, 0, 0)
	return r.raw(t, symbol, uintptr(unsafe.Pointer(out)), args[0], args[1])
}

// kept are values whose addresses stand in memory that a function reads: they must not be on a stack.
var kept []any

func address[T any](p *T) uintptr {
	kept = append(kept, p)
	return callee.Address(p)
}

// locked calls f on one thread.
func locked(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f()
}
