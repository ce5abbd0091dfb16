package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/dl/mkapi/testdata/sample"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What stands in testdata/sample was generated, and compiles: this test imports
// it. After a change of mkapi, go generate there and read the difference.
func TestGolden(t *testing.T) {
	dir := t.TempDir()
	code, page := filepath.Join(dir, "zapi.go"), filepath.Join(dir, "FUNCTIONS.md")
	require.NoError(t, run("testdata/sample/api.txt", code, page))
	for _, made := range []string{code, page} {
		want, err := os.ReadFile(filepath.Join("testdata/sample", filepath.Base(made)))
		require.NoError(t, err)
		got, err := os.ReadFile(made)
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got))
	}
}

// recorder has every function but one, and keeps what they were called with.
type recorder struct {
	lacks string
	calls map[string][]uintptr
}

func (r *recorder) Path() string { return "a recorder" }

func (r *recorder) Lookup(name string) (dl.Func, error) {
	if name == r.lacks {
		return dl.Func{}, &dl.SymbolError{Symbol: name, Path: r.Path()}
	}
	return dl.Func{Go: func(args []uintptr) uintptr {
		r.calls[name] = append([]uintptr{}, args...)
		return uintptr(len(args)) & 4 // functions of 4 arguments or more fail
	}}, nil
}

func TestGeneratedCalls(t *testing.T) {
	r := &recorder{lacks: "smpScale_v2", calls: map[string][]uintptr{}}
	var errs []string
	var tooOld *dl.UnsupportedError
	for _, err := range sample.Exercise(r) {
		if err != nil {
			errs = append(errs, err.Error())
			errors.As(err, &tooOld)
		}
	}
	assert.Equal(t, []string{"smpCreate: 4", "smpScale_v2 needs CUDA 12.0; a recorder is 2.5", "smpSpan: 4"}, errs)
	assert.ErrorIs(t, tooOld, errors.ErrUnsupported)

	minus := func(n int64) uintptr { return uintptr(-n) }
	assert.Len(t, r.calls["smpCreate"], 4)
	assert.Equal(t, minus(2), r.calls["smpCreate"][2], "a negative int fills its word")
	assert.NotZero(t, r.calls["smpCreate"][0])
	assert.Empty(t, r.calls["smpSeed"])
	assert.EqualValues(t, 7, r.calls["smpGetNames"][0])
	assert.Equal(t, []uintptr{9, minus(1)}, r.calls["smpScale"])
	span := r.calls["smpSpan"]
	require.Len(t, span, 6)
	assert.Equal(t, []uintptr{10, minus(1 << 40), 65535}, []uintptr{span[0], span[2], span[5]})
}

func TestErrorLines(t *testing.T) {
	const head = "package p\nprefix p\nresult R\n"
	for _, c := range []struct{ lines, want string }{
		{"7.0 int pF(int n", "x.txt:4: not a prototype: 7.0 int pF(int n"},
		{"int pF(int n)", "x.txt:4: not a prototype: int pF(int n)"},
		{"sectoin Programs", "x.txt:4: not a prototype: sectoin Programs"},
		{"# nothing\n\n7.0 R pF(Thing t)", `x.txt:6: pF: no Go type is known for "Thing": add a type line`},
		{"7.0 R pF(const struct Thing *t)", `x.txt:4: pF: no Go type is known for "struct Thing": add a type line`},
		{"7.0 R pF(float f)", `x.txt:4: pF: no Go type is known for "float": add a type line`},
		{"7.0 R pF(int)", `x.txt:4: pF: parameter "int" wants a type and a name`},
		{"7.0 R pF(int n, )", `x.txt:4: pF: parameter "" wants a type and a name`},
		{"type Thing", "x.txt:4: type wants a C type and a Go type"},
		{"7.0 R pF()\n8.0 R pF_v2()", "x.txt:5: pF and pF_v2 are both f in Go: give one another name with «as»"},
	} {
		_, err := parse("x.txt", head+c.lines)
		assert.EqualError(t, err, c.want)
	}
	_, err := parse("x.txt", head+"7.0 R pF()\n8.0 R pF_v2() as g\nraw 9.0 R pG(Big b) as h\n7.0 R pT(Thing *t) # later\ntype Thing uintptr")
	assert.EqualError(t, err, `x.txt:7: pT: no Go type is known for "Thing": add a type line`, "types come before their use")
}

func TestNormal(t *testing.T) {
	for c, want := range map[string]string{
		"const char *":         "char*",
		"char const *":         "char*",
		"const char *const *":  "char*const*",
		"const  char * const*": "char*const*",
		"char **":              "char**",
		"const void*":          "void*",
		"unsigned  long long":  "unsigned long long",
		"struct x * ":          "struct x*",
	} {
		assert.Equal(t, want, normal(c), c)
	}
}

func TestRunErrors(t *testing.T) {
	dir := t.TempDir()
	assert.ErrorIs(t, run(filepath.Join(dir, "none"), "", ""), os.ErrNotExist)
	in := filepath.Join(dir, "api.txt")
	require.NoError(t, os.WriteFile(in, []byte("package a b\n1.0 int f()"), 0o644))
	assert.ErrorContains(t, run(in, filepath.Join(dir, "z.go"), filepath.Join(dir, "F.md")), "z.go: ", "what gofmt refuses is shown")
	require.NoError(t, os.WriteFile(in, []byte("package a\n1.0 int f()"), 0o644))
	assert.Error(t, run(in, filepath.Join(dir, "no", "z.go"), ""))
}
