package main

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheck(t *testing.T) {
	const none = `none of the sentences "Safe for concurrent use.", "Not safe for concurrent use.", "Safe for concurrent use after it is made; its fields must not change."`
	for _, c := range []struct {
		name, text string
		names      int
		want       []string
	}{
		{"explained", `
// T is. Safe for concurrent use.
type T struct{ F int }

// M does.
func (t *T) M() {}

// U is; it is long so that the sentence breaks. Safe for concurrent
// use after it is made; its fields must not change.
type U[V any] []V

// M does.
func (u U[V]) M() {}

// What there is.
const (
	A = 1
	B = 2
)

var (
	// C is.
	C int
	D int // is as well
)

// F does.
func F() {}
`, 9, nil},
		{"not explained", `
type T struct{}
func (t T) M() {}
func F() {}
const A, B = 1, 2
var (
	C int
	d int
)
//go:noinline
func G() {}
`, 7, []string{
			"p/a.go:4: type T: no doc comment", "p/a.go:5: (T).M: no doc comment", "p/a.go:6: F: no doc comment", "p/a.go:7: const A: no doc comment",
			"p/a.go:7: const B: no doc comment", "p/a.go:9: var C: no doc comment", "p/a.go:13: G: no doc comment"}},
		{"types without the sentence", `
// T is.
type T struct{}

// E is an error.
type E struct{ error }

// I is safe for concurrent use.
type I interface{ M() }

// S is.
type S []byte

// A group says nothing about its types.
// Safe for concurrent use.
type (
	// G is.
	G struct{}
	// H is. Not safe for concurrent use.
	H struct{}
)

// Two is. Safe for concurrent use. Not safe for concurrent use.
type Two struct{}
`, 7, []string{"p/a.go:5: type T: " + none, "p/a.go:8: type E: " + none, "p/a.go:11: type I: " + none, "p/a.go:14: type S: " + none, "p/a.go:20: type G: " + none,
			"p/a.go:26: type Two: more than one sentence on concurrent use"}},
		{"types that need none", `
// Code is.
type Code int32

// Name is.
type Name string

// Dim is.
type Dim [3]uint32

// F is.
type F func()

// Number is.
type Number interface{ ~int | ~uint }

// Other is.
type Other = other.T
`, 6, nil},
		{"what is not exported", "\ntype t struct{}\nfunc (t) M() {}\nfunc f() {}\nvar x int\n", 0, nil},
	} {
		tree := fstest.MapFS{"p/a.go": {Data: []byte("package p\n\n" + c.text)}}
		names, findings, err := check(tree)
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, findings, c.name)
		assert.Equal(t, c.names, names, c.name)
	}
}

func TestCheckLeavesOut(t *testing.T) {
	bare := &fstest.MapFile{Data: []byte("package p\n\nfunc F() {}\n")}
	tree := fstest.MapFS{"p/a_test.go": bare, "p/zapi.go": bare, "p/testdata/a.go": bare, "_p/a.go": bare, ".p/a.go": bare, "p/internal/a.go": bare,
		"command/a.go": {Data: []byte("package main\n\nfunc F() {}\n")}}
	names, findings, err := check(tree)
	require.NoError(t, err)
	assert.Zero(t, names)
	assert.Empty(t, findings)

	tree["p/zoo/a_windows.go"] = bare
	_, findings, err = check(tree)
	require.NoError(t, err)
	assert.Equal(t, []string{"p/zoo/a_windows.go:3: F: no doc comment"}, findings)

	_, _, err = check(fstest.MapFS{"p/a.go": {Data: []byte("packag p")}})
	assert.ErrorContains(t, err, "p/a.go:1:1")
}
