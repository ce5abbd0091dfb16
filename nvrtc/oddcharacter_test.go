package nvrtc_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// refusedBy is the error of a compile that the compiler refuses.
func refusedBy(t *testing.T, c *nvrtc.Compiler, source string, config nvrtc.ProgramConfig, options ...string) error {
	t.Helper()
	p, err := c.NewProgram(source, config)
	if err != nil {
		return err
	}
	defer p.Close()
	err = p.Compile(context.Background(), options...)
	require.Error(t, err, source)
	return err
}

// Characters that a web page or a document put in the place of others.
func TestPastedSources(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	const kernel = `extern "C" __global__ void f(float *x) { `
	for _, c := range nvrtctest.Reals() {
		for source, want := range map[string]string{
			"extern “C” __global__ void f() {}":                `the source, line 1, column 8 has “ (U+201C): write "; one more such character is there`,
			"\n// “é”\n" + kernel + "x[0] = 1 – 2; }":          "the source, line 3, column 51 has – (U+2013): write -",
			kernel + "\u00a0x[0] = 1; }":                       "column 42 has a blank that is none to the compiler (U+00A0): write a plain one",
			kernel + "\n\tx[0]\u3000= 1;\u2028}":               "line 2, column 6 has a blank that is none to the compiler (U+3000)",
			"extern \"C\" __global__ void f（float *x） {}":      "column 29 has （ (U+FF08): write (; one more",
			kernel + "x[0] = 1；；； }":                           "has ； (U+FF1B): write ;; 2 more such characters are there",
			kernel + "\u200bx[0] = 1; }":                       "has a character that can't be seen (U+200B): delete it",
			kernel + "int é = 1; }":                            "has é (U+00E9): outside comments and literals the compiler reads ASCII alone",
			kernel + "x[0] = 1 × 2; }":                         "has × (U+00D7): write *",
			kernel + "x[0] = ‘a’; }":                           "has ‘ (U+2018): write '",
			kernel + "/* \" */ x[0] = ‘a’; }":                  "has ‘ (U+2018): write '",
			"#include “a.h”\n":                                 `line 1, column 10 has “ (U+201C): write "`,
			"/* é\n */\n#include \"odd.h\"\n":                  `header "odd.h", line 2, column 23 has − (U+2212): write -`,
			"#define ONE 1 – 0\n" + kernel + "x[0] = ONE; }":   "line 1, column 15 has – (U+2013): write -",
			"#line 7 \"my.cu\"\n" + kernel + "x[0] = 1 – 0; }": "the source, line 2, column 51 has – (U+2013): write -",
			kernel + "x[0] = 1 \x96 0; }":                      "line 1, column 51 has byte 0x96: the text is not UTF-8",
		} {
			err := refusedBy(t, c, source, nvrtc.ProgramConfig{Name: "k.cu", Headers: map[string]string{"odd.h": "// é\n__device__ int one = 1−0;"}})
			assert.ErrorContains(t, err, want, "%s: %q", c.Version(), source)
		}
		// These are no fault of characters.
		for _, source := range []string{kernel + "x[0] = \"“\"; }", kernel + "x[0] = @; } // “", kernel + "/* – */ x = y; }"} {
			err := refusedBy(t, c, source, nvrtc.ProgramConfig{Name: "k.cu"})
			assert.NotContains(t, err.Error(), "U+20", "%s: %q", c.Version(), source)
		}
		// What is right stays so.
		p, err := c.NewProgram("// “é”\n"+kernel+"/* – */ const char *s = \"“é”\"; x[0] = s[0]; }", nvrtc.ProgramConfig{})
		require.NoError(t, err)
		assert.NoError(t, p.Compile(context.Background()))
		require.NoError(t, p.Close())
		assert.ErrorContains(t, refusedBy(t, c, "", nvrtc.ProgramConfig{}, "–arch=sm_70"), "it begins with – (U+2013), a dash of a web page or a document: write - or --")
	}
}

// Where a line ends in CR alone, NVRTC sees no end, and what stands behind a
// comment or a directive would vanish without a word.
func TestLinesThatEndWithCR(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	const f = `extern "C" __global__ void f() {}`
	for _, c := range nvrtctest.Reals() {
		for source, offset := range map[string]int{
			"// one\r" + f + "\r":               6,
			f + "\r// one\rint no;\r":           len(f) + 7,
			"#define N 3\r" + f:                 11,
			"\r#define N 3\r\n" + f:             0,
			"int no;\r  #define N 3":            7,
			"/* one\r // */ // two\r" + f:       20,
			"\n# define S \"a\" \\\r\n 3\r" + f: 21,
			"// one\n// two\r" + f + "\n":       13,
		} {
			err := refusedBy(t, c, source, nvrtc.ProgramConfig{Name: "k.cu"})
			var bad *nvrtc.TextError
			require.ErrorAs(t, err, &bad, "%q", source)
			assert.Equal(t, "source", bad.What)
			assert.Equal(t, offset, bad.Offset, "%q", source)
			assert.ErrorContains(t, err, fmt.Sprintf("the line that ends at offset %d of %d ends with CR alone", offset, len(source)))
			err = refusedBy(t, c, f, nvrtc.ProgramConfig{Headers: map[string]string{"a.h": source}})
			require.ErrorAs(t, err, &bad)
			assert.Equal(t, `header "a.h"`, bad.What)
		}
		for _, source := range []string{
			f, "\r" + f + "\r", "extern \"C\"\r__global__ void\rf() {}\r", "// one\r\n" + f + "\r\n", "// one\r\r\n" + f, "#define N 3 \r\r\n" + f,
			"/* // one\r# two */" + f, "#define S \"a//b\" \r\n" + f, f + "\r// one\r", f + "// one\r \t\n",
		} {
			p, err := c.NewProgram(source, nvrtc.ProgramConfig{})
			require.NoError(t, err, "%q", source)
			require.NoError(t, p.Compile(context.Background()), "%q", source)
			ptx, err := p.PTX()
			require.NoError(t, err)
			assert.Contains(t, ptx, ".entry f(", "%q", source)
			require.NoError(t, p.Close())
		}
	}
}

// What is refused for its line ends, or for anything else, is refused at a
// place within it.
func FuzzLineBreaks(f *testing.F) {
	for _, s := range []string{"// a\rb", "#a\rb", "\"//\"\rx", "/*\r*/#\r\n", "'\r//"} {
		f.Add(s)
	}
	c, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{}))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p, err := c.NewProgram(source, nvrtc.ProgramConfig{})
		if err == nil {
			_ = p.Close()
			return
		}
		var bad *nvrtc.TextError
		if !assert.ErrorAs(t, err, &bad) || bad.Offset < 0 || bad.Offset >= max(1, len(source)) {
			t.Fatalf("%q: %v", source, err)
		}
	})
}

// TestHintsAreLinear: a text is looked through once, not for each of its errors.
func TestHintsAreLinear(t *testing.T) {
	const lines = 50_000
	var log strings.Builder
	for i := range lines {
		fmt.Fprintf(&log, "k.cu(%d): error: unrecognized token\n", i+1)
	}
	for name, text := range map[string]string{"none": "\\ \n", "odd": "é\n"} {
		fake := nvrtctest.New(nvrtctest.Config{Version: dlVersion(12, 4), Compile: func(c *nvrtctest.Compile) { c.Result, c.Log = nvrtc.Compilation, log.String() }})
		c, err := nvrtc.Bind(fake)
		require.NoError(t, err)
		start := time.Now()
		err = refusedBy(t, c, strings.Repeat(text, lines), nvrtc.ProgramConfig{Name: "k.cu"})
		assert.Equal(t, name == "odd", strings.Contains(err.Error(), "line 1, column 1 has é"), err)
		assert.Less(t, time.Since(start), 10*time.Second, name)
		var refused *nvrtc.CompileError
		require.ErrorAs(t, err, &refused)
		assert.LessOrEqual(t, len(refused.Hints), 20)
		require.NoError(t, c.Close())
	}
}
