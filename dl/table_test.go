package dl

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// resolver is one made of Go functions.
type resolver struct {
	funcs   map[string]Func
	lookups atomic.Int32
}

func (r *resolver) Path() string { return "a double" }

func (r *resolver) Lookup(name string) (Func, error) {
	r.lookups.Add(1)
	if f, ok := r.funcs[name]; ok {
		return f, nil
	}
	return Func{}, &SymbolError{Symbol: name, Path: r.Path()}
}

var someDecls = []Decl{{Name: "old", Since: Version{7, 0}}, {Name: "new", Since: Version{12, 8}}, {Name: "null", Since: Version{9, 1}}}

// CASES B08: a missing function is missing when it is called.
func TestTableIsLazy(t *testing.T) {
	r := &resolver{funcs: map[string]Func{"old": {Go: func(a []uintptr) uintptr { return a[0] + 1 }}, "null": {}}}
	table := NewTable(r, someDecls)
	assert.Zero(t, r.lookups.Load())
	assert.Same(t, r, table.Resolver())
	f, err := table.Func(0)
	require.NoError(t, err)
	assert.EqualValues(t, 42, f.Call(41))
	again, _ := table.Func(0)
	assert.Same(t, f, again)
	assert.EqualValues(t, 1, r.lookups.Load(), "a function is looked up once")
	assert.True(t, table.Has(0))
	for i := 1; i <= 2; i++ {
		assert.False(t, table.Has(i))
		_, err = table.Func(i)
		require.ErrorIs(t, err, errors.ErrUnsupported)
		var u *UnsupportedError
		require.ErrorAs(t, err, &u)
		assert.Equal(t, UnsupportedError{Feature: someDecls[i].Name, Since: someDecls[i].Since, Path: "a double"}, *u)
	}
	r.funcs["new"] = Func{Go: func([]uintptr) uintptr { return 0 }}
	assert.True(t, table.Has(1), "that something is missing is not remembered")
}

func TestTableFromManyGoroutines(t *testing.T) {
	funcs, decls := map[string]Func{}, make([]Decl, 50)
	for i := range decls {
		decls[i].Name = fmt.Sprint("f", i)
		funcs[decls[i].Name] = Func{Go: func([]uintptr) uintptr { return uintptr(i) }}
	}
	table := NewTable(&resolver{funcs: funcs}, decls)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range decls {
				f, err := table.Func(i)
				if assert.NoError(t, err) {
					assert.EqualValues(t, i, f.Call())
				}
			}
		})
	}
	wg.Wait()
}

func TestUnsupportedErrorText(t *testing.T) {
	e := &UnsupportedError{Feature: "nvrtcGetCUBIN", Since: Version{11, 1}, Have: Version{10, 2}, Path: "/l/libnvrtc.so.10.2"}
	assert.EqualError(t, e, "nvrtcGetCUBIN needs CUDA 11.1; /l/libnvrtc.so.10.2 is 10.2")
	e.Have = Version{}
	assert.EqualError(t, e, "nvrtcGetCUBIN needs CUDA 11.1; /l/libnvrtc.so.10.2 is a version that does not say its number")
}

func TestSymbolErrorText(t *testing.T) {
	e := &SymbolError{Symbol: "f", Path: "/l"}
	assert.EqualError(t, e, "dl: lookup: /l has no function f")
	e.Reason = "undefined symbol: f"
	assert.EqualError(t, e, "dl: lookup: /l has no function f (undefined symbol: f)")
	assert.ErrorIs(t, e, ErrNoSymbol)
	assert.NotErrorIs(t, e, errors.ErrUnsupported)
}

func TestVersions(t *testing.T) {
	assert.Equal(t, "12.8", Version{12, 8}.String())
	order := []Version{{}, {7, 5}, {9, 2}, {10, 0}, {11, 2}, {11, 10}, {12, 0}}
	for i, v := range order {
		for j, w := range order {
			assert.Equal(t, i >= j, v.AtLeast(w.Major, w.Minor), "%v %v", v, w)
			assert.Equal(t, i < j, v.Compare(w) < 0, "%v %v", v, w)
			assert.Equal(t, i == j, v.Compare(w) == 0, "%v %v", v, w)
		}
	}
}

func TestFuncIsZero(t *testing.T) {
	assert.True(t, Func{}.IsZero())
	assert.False(t, Func{Addr: 1}.IsZero())
	assert.False(t, Func{Go: func([]uintptr) uintptr { return 0 }}.IsZero())
}
