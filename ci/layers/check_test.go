package main

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "example.org/m"

// tree makes a module of files with the imports given after each name.
func tree(files map[string][]string) fstest.MapFS {
	fsys := fstest.MapFS{"go.mod": {Data: []byte("// a comment\nmodule " + module + "\n\ngo 1.25\n")}}
	for name, imports := range files {
		text := "//go:build windows\n\npackage p\n\n"
		for _, target := range imports {
			text += "import _ \"" + target + "\"\n"
		}
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name  string
		files map[string][]string
		want  []string
	}{
		{"what the table allows", map[string][]string{
			"dl/open.go":              {"unsafe", purego, purego + "/internal/x"},
			"dl/mkapi/main.go":        {"go/format"},
			"nvrtc/program.go":        {module + "/dl", "os"},
			"nvrtc/zapi.go":           {"unsafe"},
			"abi/mangle.go":           {demangle, module + "/abi/ptx"},
			"abi/buffer.go":           {"unsafe"},
			"rtc/kernel.go":           {module + "/nvrtc", module + "/driver", module + "/driver/sim"},
			"rtc/compile/worker/m.go": {module + "/rtc/compile", module + "/rtc/child"},
			"examples/01-x/main.go":   {module + "/driver", module + "/rtc"},
		}, nil},
		{"tests import what they need", map[string][]string{
			"abi/ptx/parse_test.go": {testify + "/require", module + "/nvrtc", "unsafe"},
		}, nil},
		{"siblings", map[string][]string{
			"nvrtc/a.go":  {module + "/driver"},
			"driver/a.go": {module + "/nvrtc"},
		}, []string{
			`driver/a.go:5: import "example.org/m/nvrtc": driver may import only dl of this module`,
			`nvrtc/a.go:5: import "example.org/m/driver": nvrtc may import only dl of this module`,
		}},
		{"upwards", map[string][]string{
			"dl/a.go":      {"os", module + "/nvrtc"},
			"abi/ptx/a.go": {module + "/abi"},
		}, []string{
			`abi/ptx/a.go:5: import "example.org/m/abi": abi/ptx imports nothing of this module`,
			`dl/a.go:6: import "example.org/m/nvrtc": dl imports nothing of this module`,
		}},
		{"other modules", map[string][]string{
			"nvrtc/a.go":      {purego},
			"nvrtc/a_test.go": {purego},
			"abi/a.go":        {testify + "/assert"},
			"abi/b.go":        {demangle + "x"},
		}, []string{
			`abi/a.go:5: import "github.com/stretchr/testify/assert": of other modules abi may import only github.com/ianlancetaylor/demangle here`,
			`abi/b.go:5: import "github.com/ianlancetaylor/demanglex": of other modules abi may import only github.com/ianlancetaylor/demangle here`,
			`nvrtc/a.go:5: import "github.com/ebitengine/purego": nvrtc imports no other module`,
			`nvrtc/a_test.go:5: import "github.com/ebitengine/purego": of other modules nvrtc may import only github.com/stretchr/testify here`,
		}},
		{"unsafe", map[string][]string{
			"nvrtc/program.go": {"unsafe"},
			"abi/type.go":      {"unsafe"},
			"nvrtc/zoo/Z.go":   {"unsafe"},
		}, []string{
			`abi/type.go:5: import "unsafe": in abi only buffer.go, structplan.go, generated z*.go and tests may use unsafe`,
			`nvrtc/program.go:5: import "unsafe": in nvrtc only generated z*.go and tests may use unsafe`,
			`nvrtc/zoo/Z.go:5: import "unsafe": in nvrtc only generated z*.go and tests may use unsafe`,
		}},
		{"cgo and the root", map[string][]string{
			"dl/a_test.go": {"C"},
			"rtc/a.go":     {module},
			"util/a.go":    {"os"},
			"rtc/b.go":     {module + "/util"},
		}, []string{
			`dl/a_test.go:5: import "C": cgo is used nowhere`,
			`rtc/a.go:5: import "example.org/m": there is no package at the root`,
			`rtc/b.go:5: import "example.org/m/util": it is in no layer of the table`,
			`util/a.go: its folder is in no layer of the table`,
		}},
		{"test doubles stay in tests", map[string][]string{
			"nvrtc/nvrtctest/double.go": {module + "/nvrtc", "unsafe"},
			"rtc/open.go":               {module + "/nvrtc/nvrtctest"},
			"rtc/open_test.go":          {module + "/nvrtc/nvrtctest"},
		}, []string{
			`rtc/open.go:5: import "example.org/m/nvrtc/nvrtctest": rtc may import only dl, nvrtc, driver, driver/sim, abi, abi/ptx, rtc/cache and rtc/compile of this module`,
		}},
		{"what the go command skips", map[string][]string{
			"nvrtc/testdata/a.go": {module + "/driver"},
			"nvrtc/_old/a.go":     {module + "/driver"},
			".cache/a.go":         {module + "/driver"},
			"nvrtc/.a.go":         {module + "/driver"},
		}, nil},
		{"modules further down", map[string][]string{
			"rtc/cache/rediscache/go.mod": nil,
			"rtc/cache/rediscache/a.go":   {redis, module + "/rtc/cache"},
			"rtc/cache/rediscache/b.go":   {module + "/rtc"},
			"rtc/cache/open.go":           {redis, module + "/rtc/cache/rediscache"},
			"rtc/cmd/purecuda/go.mod":     nil,
			"rtc/cmd/purecuda/main.go":    {module + "/rtc/cache/rediscache", module + "/rtc/compile"},
		}, []string{
			`rtc/cache/open.go:5: import "github.com/redis/go-redis/v9": rtc/cache imports no other module`,
			`rtc/cache/open.go:6: import "example.org/m/rtc/cache/rediscache": rtc/cache imports nothing of this module`,
			`rtc/cache/rediscache/b.go:5: import "example.org/m/rtc": rtc/cache/rediscache may import only rtc/cache of this module`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files, err := read(tree(test.files))
			require.NoError(t, err)
			assert.Equal(t, test.want, check(files, layers))
		})
	}
}

// A layer's never holds through layers that may import the forbidden one, and the finding shows the way.
func TestCheckReached(t *testing.T) {
	table := []layer{
		{path: "driver"},
		{path: "mid", uses: []string{"driver"}},
		{path: "worker", uses: []string{"mid"}, never: []string{"driver"}},
	}
	files, err := read(tree(map[string][]string{
		"driver/a.go":      nil,
		"driver/b.go":      {module + "/worker/sub"}, // a cycle must not hang it
		"mid/a.go":         {module + "/driver"},
		"worker/a.go":      {"os"},
		"worker/a_test.go": {module + "/mid"},
		"worker/sub/a.go":  {module + "/mid"},
	}))
	require.NoError(t, err)
	assert.Equal(t, []string{
		`driver/b.go:5: import "example.org/m/worker/sub": driver imports nothing of this module`,
		`worker/sub: worker/sub → mid → driver: worker must never reach driver`,
	}, check(files, table))
}

func TestReadRefuses(t *testing.T) {
	_, err := read(fstest.MapFS{})
	assert.ErrorIs(t, err, os.ErrNotExist)

	_, err = read(fstest.MapFS{"go.mod": {Data: []byte("go 1.25")}})
	assert.EqualError(t, err, "go.mod: no module line")

	_, err = read(fstest.MapFS{"go.mod": {Data: []byte("module m")}, "dl/a.go": {Data: []byte("packag p")}})
	assert.ErrorContains(t, err, "dl/a.go:1:1")
}

// The table itself: no layer twice, and every name in uses and never is a layer that comes before it.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range layers {
		assert.False(t, seen[l.path], "%s stands twice", l.path)
		for _, other := range append(l.uses, l.never...) {
			assert.True(t, other == "*" || seen[other], "%s uses %s, which is not below it", l.path, other)
		}
		seen[l.path] = true
	}
}
