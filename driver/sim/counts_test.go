package sim_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

// Each launch is counted by itself, and told of once, by one goroutine at a time, before its wait is over.
func TestCounts(t *testing.T) {
	var told []sim.Counts
	var inside atomic.Int32
	r := newRig(t, sim.Config{Counts: func(kernel string, c *sim.Counts) {
		assert.Equal(t, int32(1), inside.Add(1))
		assert.Equal(t, "axpy", kernel)
		told = append(told, *c)
		inside.Add(-1)
	}})
	x, y, a := r.alloc(t, 256), r.alloc(t, 256), float32(2)
	set(t, r.ctx, x, make([]float32, 64)...)
	set(t, r.ctx, y, make([]float32, 64)...)
	other := r.stream(t)
	for i, n := range []uint32{50, 64, 0} { // the second warp parts; none does; none does
		s := []*driver.Stream{r.s, other, r.s}[i]
		require.NoError(t, r.launch(t, "axpy", driver.LaunchConfig{Block: driver.Dim(64)}, ptr(&x), ptr(&y), ptr(&a), ptr(&n)).Enqueue(s))
		require.NoError(t, s.Synchronize())
		require.Len(t, told, i+1)
	}
	for i, want := range []struct{ threads, branches, uniform, loads, stores, sectors uint64 }{
		{64*10 + 50*7 + 64, 2, 1, 4, 2, 4 + 3}, {64*10 + 64*7 + 64, 2, 2, 4, 2, 8}, {64*10 + 64, 2, 2, 0, 0, 0},
	} {
		c := &told[i]
		assert.Equal(t, want.threads, c.Total().Thread, i)
		assert.Equal(t, want.branches, c.Branches, i)
		assert.Equal(t, want.uniform, c.Uniform, i)
		assert.Equal(t, want.loads, c.GlobalLoads.Requests, i)
		assert.Equal(t, sim.Requests{Requests: want.stores, Sectors: want.sectors}, c.GlobalStores, i)
	}
}

// A launch that faults is not told of.
func TestCountsOfFault(t *testing.T) {
	r := newRig(t, sim.Config{Counts: func(string, *sim.Counts) { t.Error("it did not end well") }})
	require.NoError(t, r.launch(t, "trapped", driver.LaunchConfig{}).Enqueue(r.s))
	require.Error(t, r.s.Synchronize())
}

// The counts are aliases, whose fields and methods go doc can't show: the comments list them.
func TestCountsAreDocumented(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "counts.go", nil, parser.ParseComments)
	require.NoError(t, err)
	text := map[string]string{} // by the name it begins with
	for _, c := range file.Comments {
		name, _, _ := strings.Cut(strings.TrimPrefix(c.Text(), "A "), " ")
		text[name] = strings.Join(strings.Fields(c.Text()), " ")
	}
	for _, of := range []reflect.Type{reflect.TypeFor[sim.Counts](), reflect.TypeFor[sim.Instructions](), reflect.TypeFor[sim.Requests](), reflect.TypeFor[sim.Wavefronts]()} {
		for i := range of.NumField() {
			f := of.Field(i)
			assert.Regexp(t, `\b`+f.Name+`\b.* \S*\b`+f.Type.Name(), text[of.Name()], of.Name())
		}
		for i := range reflect.PointerTo(of).NumMethod() {
			assert.Contains(t, text[of.Name()], reflect.PointerTo(of).Method(i).Name+"()", of.Name())
		}
	}
	classes := reflect.TypeFor[sim.Counts]().Field(0)
	assert.Contains(t, text["Counts"], fmt.Sprintf("%s [%d]Instructions", classes.Name, classes.Type.Len()))
	var names []string
	for c := range classes.Type.Len() {
		names = append(names, fmt.Sprintf("%q", sim.Class(c)))
	}
	assert.Contains(t, text["Class"], strings.Join(names, ", ")+".")
}
