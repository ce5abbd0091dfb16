package compile_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/compile"
)

// grove is folders of headers that include each other in every way, and a secret.
func grove(t *testing.T) (top string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range map[string]string{
		"a/one.h": "#include \"deep/two.h\"\n", "a/deep/two.h": "#pragma once\n#include \"three.h\"\nstruct Two { int v[THREE]; };\n", "a/deep/three.h": "#define THREE 3\n",
		"a/both.h": "#define BOTH 1\n", "b/both.h": "#define BOTH 2\n", "b/only.h": "#define ONLY 20\n",
		// The same text is two files, in a folder each.
		"a/left/x.h": "#include \"detail.h\"\n", "a/left/detail.h": "#define LEFT 1\n", "a/right/x.h": "/**/ # include /**/ \"detail.h\" // detail.h\n", "a/right/detail.h": "#define RIGHT 2\n",
		"a/wrapped.h": "#define OUTER 1\n#include_next <wrapped.h>\n", "b/wrapped.h": "#define INNER 2\n", "a/last.h": "#include_next <last.h>\n",
		"a/broken.h": "\n#include \"deep/bad.h\"\n", "a/deep/bad.h": "\n\nint x = ;\n",
		"a/hidden.h": "#inc\\\nlude \"detail.h\"\n", "a/detail.h": "#define HIDDEN 1\n",
		"a/bytes.h": "\x00\x01", "secret.h": "#error s3cret\n", "a/up.h": "#include \"../secret.h\"\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o600))
	}
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink("../secret.h", filepath.Join(top, "a/link.h")))
		require.NoError(t, os.Symlink("../secret.h", filepath.Join(top, "a/only.h")))
		require.NoError(t, os.Symlink("deep/three.h", filepath.Join(top, "a/inside.h")))
	}
	return top
}

// A forest is a source, what n in it comes to, or what NVRTC says of it. TOP is the
// grove's place.
type forest struct{ source, want, refused string }

var forests = map[string]forest{
	"nested":          {"#include <one.h>\n#include \"deep/two.h\"\n#include \"deep/../deep/two.h\"\nconst int n = THREE;", "3", ""},
	"first folder":    {"#include <both.h>\nconst int n = BOTH;", "1", ""},
	"quotes":          {"#include \"both.h\"\nconst int n = BOTH;", "1", ""},
	"whole name":      {"#include \"TOP/b/both.h\"\nconst int n = BOTH;", "2", ""},
	"two of a name":   {"#include <left/x.h>\n#include <right/x.h>\nconst int n = 10 * LEFT + RIGHT;", "12", ""},
	"three of a name": {"#include <detail.h>\n#include <left/x.h>\n#include <right/x.h>\nconst int n = 100 * HIDDEN + 10 * LEFT + RIGHT;", "112", ""},
	"next":            {"#include <wrapped.h>\nconst int n = 10 * OUTER + INNER;", "12", ""},
	"left out":        {"#if 0\n#include <none.h>\n#include <up.h>\n#endif\n#include <both.h>\nconst int n = BOTH;", "1", ""},
	"the line":        {"#include <broken.h>\n", "", "TOP/a/deep/bad.h(3): error"},
	"bytes":           {"#if 0\n#include <bytes.h>\n#endif\nconst int n = 7;", "7", ""},
	"no next":         {"#include <last.h>\n", "", "TOP/a/last.h(1): fatal error: cannot open source file"},
	"spliced":         {"#include <hidden.h>\nconst int n = HIDDEN;", "1", ""},
}

// on has c compile r, and holds what comes of it against what is wanted.
func (f forest) on(t *testing.T, c *nvrtc.Compiler, top, name string, r *compile.Request) {
	t.Helper()
	_, log, err := made(t, c, r)
	if f.refused != "" {
		assert.ErrorContains(t, err, strings.ReplaceAll(f.refused, "TOP", top), name)
		return
	}
	assert.NoError(t, err, "%s: %s", name, log)
}

// made is what c makes of r.
func made(t *testing.T, c *nvrtc.Compiler, r *compile.Request) (ptx, log string, err error) {
	t.Helper()
	p, err := c.NewProgram(r.Source, nvrtc.ProgramConfig{Name: r.Name, Headers: r.Headers})
	require.NoError(t, err)
	defer p.Close()
	if err = p.Compile(context.Background(), r.Options...); err == nil {
		b, err := p.PTX()
		require.NoError(t, err)
		ptx = string(b)
	}
	return ptx, p.Log(), err
}

// TestEnclose has real NVRTCs compile sources with the headers on disk, and once
// more when those are gone: it comes to the same.
func TestEnclose(t *testing.T) {
	nvrtctest.Real(t, dl.Version{}) // there is one
	for _, c := range nvrtctest.Reals() {
		t.Run(c.Version().String(), func(t *testing.T) {
			top := grove(t)
			enclosed := map[string]*compile.Request{}
			for name, f := range forests {
				r := &compile.Request{Name: "k.cu", Source: strings.ReplaceAll(f.source, "TOP", top), Options: []string{"--std=c++14", "-I" + top + "/a", "-I" + top + "/b"}}
				if f.want != "" {
					r.Source += "\nstatic_assert(n == " + f.want + ", \"another file\");\n"
				}
				f.on(t, c, top, name+" on disk", r)
				var err error
				enclosed[name], err = compile.Enclose(context.Background(), r, top+"/a", top+"/b")
				require.NoError(t, err, name)
			}
			require.NoError(t, os.RemoveAll(top))
			for name, f := range forests {
				f.on(t, c, top, name+" in memory", enclosed[name])
			}
		})
	}
}

// TestEncloseKeepsOut has files outside of the folders not be there.
func TestEncloseKeepsOut(t *testing.T) {
	top := grove(t)
	in := func(r compile.Request, folders ...string) map[string]string {
		t.Helper()
		r.Options = append(r.Options, "-I"+top+"/a", "-I"+top+"/b")
		got, err := compile.Enclose(context.Background(), &r, folders...)
		require.NoError(t, err)
		for name, text := range got.Headers {
			assert.NotContains(t, text, "s3cret", name)
		}
		return got.Headers
	}
	a, b := top+"/a", top+"/b"
	for _, source := range []string{
		"#include \"" + top + "/secret.h\"", "#include <../secret.h>", "#include \"" + a + "/../secret.h\"", "#include <link.h>", "#include \"/proc/self/environ\"", "#include <deep>",
	} {
		assert.Empty(t, in(compile.Request{Source: source}, a, b), source)
	}
	assert.Len(t, in(compile.Request{Source: "#include <up.h>"}, a), 2, "itself, by two names")
	if runtime.GOOS != "windows" {
		got := in(compile.Request{Source: "#include <only.h>\n#include <inside.h>"}, a, b)
		assert.Equal(t, "#define ONLY 20\n", got[b+"/only.h"], "behind a link that leads out")
		assert.Equal(t, "#define THREE 3\n", got[a+"/inside.h"])
	}
	assert.Equal(t, "#define BOTH 2\n", in(compile.Request{Source: "#include <both.h>"}, b)[b+"/both.h"], "the first folder isn't for headers")
	assert.Len(t, in(compile.Request{Source: "#include <both.h>\n#include <one.h>"}, a+"/both.h"), 2, "a file alone")
	// The caller's own are taken, and looked through.
	got := in(compile.Request{Source: "#include <both.h>", Headers: map[string]string{"both.h": "#include <only.h>", "unused.h": "#include <one.h>"}}, a, b)
	assert.Equal(t, "#include <only.h>", got["both.h"])
	assert.NotContains(t, got, a+"/both.h")
	assert.Contains(t, got, b+"/only.h")
	assert.Contains(t, got, a+"/deep/three.h")

	r := &compile.Request{Source: "int x;", Headers: map[string]string{"h.h": ""}}
	got2, err := compile.Enclose(context.Background(), r, a)
	require.NoError(t, err)
	assert.Same(t, r, got2, "nothing to add")
	for source, reason := range map[string]string{
		"#include <detail.h>\n#include <spliced/x.h>": `"detail.h" is one file in ` + a + "/spliced/x.h and another elsewhere",
		"#include <large.h>":                          "they have more than",
	} {
		require.NoError(t, os.MkdirAll(a+"/spliced", 0o700))
		require.NoError(t, os.WriteFile(a+"/spliced/x.h", []byte("#inc\\\nlude \"detail.h\"\n"), 0o600))
		require.NoError(t, os.WriteFile(a+"/spliced/detail.h", nil, 0o600))
		large, err := os.Create(a + "/large.h")
		require.NoError(t, err)
		_, err = large.WriteString(strings.Repeat(" ", 1<<20))
		require.NoError(t, err)
		require.NoError(t, large.Close())
		defer compile.SetMostEnclosed(1 << 20 / 2)()
		_, err = compile.Enclose(context.Background(), &compile.Request{Source: source, Name: "k.cu", Options: []string{"-I" + a}}, a)
		assert.ErrorContains(t, err, "compile: enclose the headers of k.cu: ")
		assert.ErrorContains(t, err, reason)
	}
}
