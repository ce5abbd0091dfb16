package compile_test

import (
	"context"
	"math/rand/v2"
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

// site is a working directory with a secret and folders for headers:
//
//	secret.h
//	include/good.h, include/sub/deep.h, include/sub/up.h (../good.h)
//	include/bad.h (../secret.h), include/macro.h (a macro), include/link.h and linked/ (out)
func site(t *testing.T) (include string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range map[string]string{
		"secret.h": "#error s3cret\n", "include/good.h": "#define GOOD 1\n", "include/sub/deep.h": "#include \"up.h\"\n", "include/sub/up.h": "#include \"../good.h\"\n",
		"include/bad.h": "#include \"../secret.h\"\n", "include/macro.h": "#include CONFIG\n", "outside/secret.h": "#error s3cret\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o600))
	}
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink("../secret.h", filepath.Join(top, "include/link.h")))
		require.NoError(t, os.Symlink("../outside", filepath.Join(top, "include/linked")))
	}
	t.Chdir(top)
	return filepath.Join(top, "include")
}

// hostile are requests that have NVRTC read a secret, or find out about it, and
// what is said of them.
func hostile(include string) map[string]struct {
	r      compile.Request
	reason string
} {
	secret := filepath.ToSlash(filepath.Join(filepath.Dir(include), "secret.h"))
	beside := "../" + filepath.Base(filepath.Dir(include)) + "/h.h"
	source := func(text string) compile.Request { return compile.Request{Source: text} }
	return map[string]struct {
		r      compile.Request
		reason string
	}{
		"whole path":                   {source("#include \"" + secret + "\""), "is not in the folders for headers"},
		"whole path that is not there": {source("#include <" + secret + "/x>"), "is not in the folders for headers"},
		"climbing":                     {source("#include \"../" + filepath.Base(filepath.Dir(include)) + "/secret.h\""), "is not in the folders for headers"},
		"climbing inside":              {source("#include <sub/../../secret.h>"), "is not in the folders for headers"},
		"working directory":            {source("#include \"secret.h\""), `"secret.h" would be found outside of the folders for headers`},
		"of a name":                    {compile.Request{Source: "#include \"secret.h\"", Name: "outside/k.cu"}, "would be found outside"},
		"of a whole name":              {compile.Request{Source: "#include \"secret.h\"", Name: filepath.ToSlash(filepath.Dir(secret)) + "/k.cu"}, "is not that of a file below"},
		"of a header's name":           {compile.Request{Source: "#include \"" + beside + "\"", Headers: map[string]string{beside: "#include \"secret.h\""}}, "is not that of a file below"},
		"in a header":                  {compile.Request{Source: "#include \"h.h\"", Headers: map[string]string{"h.h": "#include \"" + secret + "\""}}, "is not in the folders for headers"},
		"in a hidden header":           {compile.Request{Source: "int x;", Headers: map[string]string{"h.h": "#include \"" + secret + "\""}}, "is not in the folders for headers"},
		"by a good header":             {source("#include <bad.h>"), "is not in the folders for headers"},
		"by a macro":                   {source("#define M \"" + secret + "\"\n#include M"), "which files it reads can't be told: #include of a macro"},
		"by a header's macro":          {source("#define CONFIG \"" + secret + "\"\n#include <macro.h>"), "#include of a macro in"},
		"behind the time":              {source("const char *t = __TIME__;\n#define M \"" + secret + "\"\n#include M"), "#include of a macro"},
		"a question":                   {source("#if __has_include(\"" + secret + "\")\n#error s3cret\n#endif"), "is not in the folders for headers"},
		"a question's macro":           {source("#define M \"" + secret + "\"\n#if __has_include(M)\n#error s3cret\n#endif"), "__has_include of a macro"},
		"in an option":                 {compile.Request{Source: "#if X\n#error s3cret\n#endif", Options: []string{"-DX=__has_include(\"" + secret + "\")"}}, "is not in the folders for headers"},
		"by an option":                 {compile.Request{Source: "int x;", Options: []string{" --pre-include=" + secret}}, "--pre-include is not among"},
		"a folder":                     {compile.Request{Source: "#include <secret.h>", Options: []string{"-I."}}, "headers may not be looked for there"},
		"in an export":                 {compile.Request{Source: "__global__ void k();", Exports: []string{"k\n#include \"" + secret + "\""}}, "is more than a line"},
		"asked by an export":           {compile.Request{Source: "template<int> __global__ void k() {}", Exports: []string{"k<__has_include(\"" + secret + "\")>"}}, "is not in the folders for headers"},
		"digraph":                      {source("%:include \"" + secret + "\""), "is not in the folders for headers"},
		"spliced":                      {source("#inc\\\nlude \"" + secret + "\""), "is not in the folders for headers"},
		"trigraph":                     {compile.Request{Source: "??=include \"" + secret + "\"", Options: []string{"--std=c++11"}}, "is not in the folders for headers"},
		"comments":                     {source("/**/ # /**/ include /**/ \"" + secret + "\""), "is not in the folders for headers"},
		"next":                         {source("#include_next \"" + secret + "\""), "is not in the folders for headers"},
		"link":                         {source("#include <link.h>"), "leads out of the folders"},
		"linked folder":                {source("#include <linked/secret.h>"), "leads out of the folders"},
	}
}

func TestConfine(t *testing.T) {
	include := site(t)
	for name, h := range hostile(include) {
		if strings.HasPrefix(name, "link") && runtime.GOOS == "windows" {
			continue
		}
		h.r.Options = append(h.r.Options, "-I"+include)
		_, err := compile.Confine(context.Background(), &h.r, include)
		assert.ErrorContains(t, err, h.reason, name)
	}
	for name, r := range map[string]compile.Request{
		"plain":         {Source: "int x;", Name: "k.cu"},
		"good":          {Source: "#include <good.h>\n#include \"sub/deep.h\"\n#include <sub/../good.h>\n"},
		"whole path":    {Source: "#include \"" + filepath.ToSlash(include) + "/good.h\""},
		"not there":     {Source: "#ifdef _WIN32\n#include <windows.h>\n#endif\n#if __has_include(<cuda/std/x>)\n#endif"},
		"memory":        {Source: "#include \"lib/a.h\"", Headers: map[string]string{"lib/a.h": "#include \"b.h\"\n", "lib/b.h": ""}},
		"memory's name": {Source: "#include \"secret.h\"", Headers: map[string]string{"secret.h": "int x;"}},
		"time":          {Source: "const char *t = __TIME__;"},
		"exports":       {Source: "int x;", Exports: []string{"k<int, 3>", "&x"}},
	} {
		r.Options = append(r.Options, "-I", include)
		got, err := compile.Confine(context.Background(), &r, include)
		require.NoError(t, err, name)
		assert.Equal(t, []string{"--include-path=" + include}, got.Options)
		assert.Equal(t, r.Source, got.Source)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := compile.Confine(ctx, &compile.Request{Source: "#include <good.h>", Options: []string{"-I" + include}}, include)
	assert.ErrorIs(t, err, context.Canceled)
}

// TestHostileIsHostile has a real NVRTC read the secret by each of them, so that
// what is refused is refused for a reason.
func TestHostileIsHostile(t *testing.T) {
	for _, c := range nvrtctest.Reals() {
		t.Run(c.Version().String(), func(t *testing.T) {
			include := site(t)
			for name, h := range hostile(include) {
				switch name {
				case "whole path that is not there", "in a hidden header":
					continue // they read nothing, as it is
				}
				h.r.Options = append(h.r.Options, "-I"+include)
				p, err := c.NewProgram(h.r.Source, nvrtc.ProgramConfig{Name: h.r.Name, Headers: h.r.Headers, Exports: h.r.Exports})
				if !assert.NoError(t, err, name) {
					continue
				}
				err = p.Compile(context.Background(), h.r.Options...)
				log := p.Log()
				if name == "asked by an export" {
					lowered, _ := p.LoweredName(h.r.Exports[0])
					assert.Contains(t, lowered, "Li1E", name)
				} else {
					assert.Error(t, err, name)
					assert.Contains(t, log, "s3cret", name)
				}
				assert.NoError(t, p.Close())
			}
		})
	}
	if len(nvrtctest.Reals()) == 0 {
		nvrtctest.Real(t, dl.Version{})
	}
}

// TestPiecedTogether has a real NVRTC compile sources pieced together at random.
// Where one reads the secret Confine has refused it.
func TestPiecedTogether(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{})
	include := site(t)
	secret := filepath.ToSlash(filepath.Join(filepath.Dir(include), "secret.h"))
	pieces := []string{
		"#", "%:", "??=", "include", "include_next", "define M", "M", "\"" + secret + "\"", "<" + secret + ">", "\"secret.h\"", "<good.h>", " ", " ", "\t", "\v",
		"\n", "\n", "\n", "\\\n", "\\\r\n", "??/\n", "/*", "*/", "//", "\"", "'", "R\"(", ")\"", "R\"x(", ")x\"", "1'0", "(", ")", "if", "endif", "else", "0", "1", "##",
		"__has_include(", "_Pragma(\"", "#include \"" + secret + "\"", "\n#include M\n", "\n#define M \"" + secret + "\"\n", "u8", "L", "\r", "\\ \n", "\\u0023", "defined",
		"inc\\\nlude", "#/**/include", "\nint x;\n",
	}
	random := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range pieced {
		var b strings.Builder
		for range 1 + random.IntN(14) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		r := compile.Request{Source: b.String(), Options: []string{[]string{"--std=c++17", "--std=c++11", "--std=c++14"}[random.IntN(3)], "-I" + include}}
		p, err := c.NewProgram(r.Source, nvrtc.ProgramConfig{})
		if err != nil {
			continue
		}
		_ = p.Compile(context.Background(), r.Options...)
		log := p.Log()
		require.NoError(t, p.Close())
		if strings.Contains(log, "#error directive: s3cret") {
			read++
			_, err = compile.Confine(context.Background(), &r, include)
			assert.Error(t, err, "%q", r.Source)
		}
	}
	t.Logf("%d of %d sources read the secret", read, pieced)
	assert.Greater(t, read, pieced/100)
}

// pieced is how many sources are pieced together.
const pieced = 300

// Of several headers that are refused the error names the same one each time.
func TestConfineNamesTheFirstHeader(t *testing.T) {
	rig := newRig(t, stoppable)
	r := compile.Request{Compiler: rig.compiler, Source: "int x;", Headers: map[string]string{}}
	for _, name := range []string{"a.h", "b.h", "c.h", "d.h", "e.h"} {
		r.Headers[name] = "#include M\n"
	}
	for range 20 {
		_, err := compile.Confine(context.Background(), &r)
		require.ErrorContains(t, err, "#include of a macro in a.h")
	}
}
