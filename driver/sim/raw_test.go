package sim_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
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

// create calls a function that makes something with flags.
func (r *rig) create(t testing.TB, symbol string, out *uintptr, flags uintptr) driver.Result {
	t.Helper()
	return r.raw(t, symbol, uintptr(unsafe.Pointer(out)), flags)
}
