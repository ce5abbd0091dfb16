package compile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
)

// double is an NVRTC of Go that is a file, so that there can be keys for it.
func double(t *testing.T, file string, v dl.Version) *nvrtc.Compiler {
	path := filepath.Join(t.TempDir(), "libnvrtc.so")
	require.NoError(t, os.WriteFile(path, []byte(file), 0o600))
	c, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{Path: path, Version: v}))
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func mustKey(t *testing.T, r Request) cache.Key {
	t.Helper()
	key, unseen, err := keyOf(context.Background(), &files{}, &r, nil)
	require.NoError(t, err)
	require.Empty(t, unseen)
	return key
}

// TestKeysDiffer takes a request and changes one thing at a time.
func TestKeysDiffer(t *testing.T) {
	c := double(t, "one", dl.Version{Major: 12, Minor: 4})
	base := func() Request {
		return Request{
			Compiler: c, Source: "s", Name: "k.cu", Options: []string{"-arch=sm_90", "-Ia", "-Ib", "-DX=1"},
			Exports: []string{"a", "b"}, Headers: map[string]string{"h": "1", "i": "2"}, Extra: "",
		}
	}
	keys := map[cache.Key]string{mustKey(t, base()): "nothing"}
	for what, change := range map[string]func(r *Request){
		"source":                func(r *Request) { r.Source = "S" },
		"source longer":         func(r *Request) { r.Source = "s " },
		"name":                  func(r *Request) { r.Name = "l.cu" },
		"no name":               func(r *Request) { r.Name = "" },
		"arch":                  func(r *Request) { r.Options[0] = "-arch=sm_80" },
		"kind":                  func(r *Request) { r.Options[0] = "-arch=compute_90" },
		"LTO":                   func(r *Request) { r.Options = append(r.Options, "-dlto") },
		"no arch":               func(r *Request) { r.Options = r.Options[1:] },
		"order of -I":           func(r *Request) { r.Options[1], r.Options[2] = r.Options[2], r.Options[1] },
		"a macro's value":       func(r *Request) { r.Options[3] = "-DX=2" },
		"one option for two":    func(r *Request) { r.Options = []string{"-arch=sm_90", "-Ia -Ib", "-DX=1"} },
		"an export":             func(r *Request) { r.Exports[1] = "c" },
		"exports, otherwise":    func(r *Request) { r.Exports = []string{"ab"} },
		"exports, run together": func(r *Request) { r.Exports = []string{"", "ab"} },
		"no exports":            func(r *Request) { r.Exports = nil },
		"a header's text":       func(r *Request) { r.Headers["h"] = "2" },
		"a header's name":       func(r *Request) { r.Headers = map[string]string{"g": "1", "i": "2"} },
		"headers, exchanged":    func(r *Request) { r.Headers = map[string]string{"h": "2", "i": "1"} },
		"a header, no header":   func(r *Request) { delete(r.Headers, "i") },
		"extra":                 func(r *Request) { r.Extra = "1" },
		"version":               func(r *Request) { r.Compiler = double(t, "one", dl.Version{Major: 12, Minor: 5}) },
		"build":                 func(r *Request) { r.Compiler = double(t, "two", dl.Version{Major: 12, Minor: 4}) },
		"source is name":        func(r *Request) { r.Source, r.Name = "k.cu", "s" },
	} {
		r := base()
		change(&r)
		key := mustKey(t, r)
		assert.NotContains(t, keys, key, what)
		keys[key] = what
	}
	for _, flags := range []string{"--fmad=false", "-lineinfo"} {
		t.Setenv("NVRTC_APPEND_FLAGS", flags)
		key := mustKey(t, base())
		assert.NotContains(t, keys, key, "NVRTC_APPEND_FLAGS="+flags)
		keys[key] = flags
	}
}

func TestKeysAgree(t *testing.T) {
	c := double(t, "one", dl.Version{Major: 12, Minor: 4})
	base := Request{Compiler: c, Source: "s", Name: "k.cu", Options: []string{"-arch=sm_90", "-Ia", "-Ib", "-DX=1", "-rdc=true"}, Headers: map[string]string{"a": "1", "b": "2", "c": "3"}}
	key := mustKey(t, base)
	for _, options := range [][]string{
		{"--gpu-architecture", "sm_90", "-I", "a", "--include-path=b", "-DX", "-dc"},
		{"-DX=1 ", "-dc", "-I=a", "\t-Ib", "-arch", " sm_90"},
	} {
		r := base
		r.Options = options
		assert.Equal(t, key, mustKey(t, r), "%q", options)
	}
	r := base
	r.Compiler = double(t, "one", dl.Version{Major: 12, Minor: 4})
	r.Priority, r.Timeout, r.Fresh = 3, time.Second, true
	assert.Equal(t, key, mustKey(t, r), "the same NVRTC elsewhere, and how the Service goes about it")
	t.Chdir(t.TempDir())
	assert.Equal(t, key, mustKey(t, base), "the working directory, of which nothing is read")
	base.Options = append(base.Options, "-lineinfo")
	key = mustKey(t, base)
	t.Chdir(t.TempDir())
	assert.NotEqual(t, key, mustKey(t, base), "it stands in debug information")
}

// TestNoKey: what the key can't see is said, and Extra stands for it.
func TestNoKey(t *testing.T) {
	c := double(t, "one", dl.Version{Major: 12, Minor: 4})
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	macro := write("macro.h", "#include MACRO\n")
	write("time.h", "const char *t = __TIME__;\n")
	for _, row := range []struct {
		why string
		r   Request
	}{
		{"#include of a macro in k.cu", Request{Source: "#include I\n"}},
		{"#include of a macro in " + macro, Request{Source: "#include <macro.h>\n"}},
		{"__TIME__ in " + filepath.Join(folder, "time.h"), Request{Source: "#include <time.h>\n"}},
		{"#include of a macro in h", Request{Source: "#include <h>\n", Headers: map[string]string{"h": "#include I\n"}}},
		{"__has_include of a macro in k.cu", Request{Source: "#if __has_include(I)\n"}},
		{"__DATE__ in k.cu", Request{Source: "__DATE__"}},
		{"__TIME__ in the option --define-macro=X=__TIME__", Request{Options: []string{"-DX=__TIME__"}}},
		{"the option --new-thing, which is not known here", Request{Options: []string{"--new-thing"}}},
		{"the option --time, which is for files", Request{Options: []string{"--time=x.csv"}}},
		{"the option --use-pch, which is for files", Request{Options: []string{"-use-pch=x"}}},
		{"the option --ptxas-options=--options-file=x, which is for files", Request{Options: []string{"-Xptxas", "--options-file=x"}}},
	} {
		row.r.Compiler, row.r.Name = c, "k.cu"
		row.r.Options = append(row.r.Options, "-I"+folder)
		_, unseen, err := keyOf(context.Background(), &files{}, &row.r, nil)
		require.NoError(t, err)
		assert.Equal(t, row.why, unseen)
		row.r.Extra = "1"
		key := mustKey(t, row.r)
		row.r.Extra = "2"
		assert.NotEqual(t, key, mustKey(t, row.r))
	}
	if runtime.GOOS == "linux" {
		// /proc/kmsg would never end.
		link := filepath.Join(folder, "link.h")
		require.NoError(t, os.Symlink("/proc/self/status", link))
		for _, name := range []string{"/proc/self/status", link} {
			_, unseen, err := keyOf(context.Background(), &files{}, &Request{Compiler: c, Source: "#include \"" + name + "\"\n"}, nil)
			require.NoError(t, err)
			assert.Equal(t, "a header that can't be read: "+name+" is the system's, and no file on disk", unseen)
		}
	}
	unused := Request{Compiler: c, Source: "x", Headers: map[string]string{"h": "#include I\n"}}
	mustKey(t, unused)

	bound, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{}))
	require.NoError(t, err)
	_, unseen, err := keyOf(context.Background(), &files{}, &Request{Compiler: bound, Source: "x", Extra: "1"}, nil)
	require.NoError(t, err)
	assert.NotEmpty(t, unseen, "no Extra tells one double from another")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err = keyOf(ctx, &files{}, &Request{Compiler: c, Source: "#include <time.h>\n", Options: []string{"-I" + folder}}, nil)
	assert.ErrorIs(t, err, context.Canceled)
}

// TestHeadersOnDisk changes files, one at a time, that a compile would read or
// look for.
func TestHeadersOnDisk(t *testing.T) {
	c := double(t, "one", dl.Version{Major: 12, Minor: 4})
	folder := t.TempDir()
	t.Chdir(folder)
	clock := time.Now().Add(-time.Hour)
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		clock = clock.Add(time.Second)
		require.NoError(t, os.Chtimes(name, clock, clock))
	}
	write("src/k.cu", "")
	write("src/own.h", "#include \"deep.h\"\n")
	write("src/deep.h", "1")
	write("second/outer.h", "#include <inner.h>\n#include \"../second/beside.h\"\n")
	write("second/inner.h", "1")
	write("second/beside.h", "#include \"outer.h\"\n#include \"../second/beside.h\"\n") // and round again
	write("second/mem.h", "#include \"virtual.h\"\n")
	write("other/unused.h", "1")
	write("pre.h", "1")
	r := Request{
		Compiler: c, Name: "src/k.cu", Options: []string{"-Ifirst", "-Isecond", "--pre-include=pre.h", "-DBY_OPTION=__has_include(<option.h>)"},
		Exports: []string{"k<__has_include(<export.h>)>"},
		Source:  "#include \"own.h\"\n#include <outer.h>\n#include <mem.h>\n#if __has_include(<maybe.h>)\n#endif\n",
		Headers: map[string]string{"virtual.h": "#include \"late.h\"\n"},
	}
	disk := &files{} // remembers all
	seen := map[cache.Key]string{}
	key := func(why string, differs bool) {
		t.Helper()
		k, unseen, err := keyOf(context.Background(), disk, &r, nil)
		require.NoError(t, err)
		require.Empty(t, unseen)
		again, _, _ := keyOf(context.Background(), &files{settled: 24 * time.Hour}, &r, nil)
		assert.Equal(t, again, k, "%s: what is remembered, and what there is", why)
		if other, ok := seen[k]; ok == differs {
			t.Errorf("%s: the key is that of %q", why, other)
		}
		seen[k] = why
	}
	key("all", true)
	key("all again", false)
	write("src/own.h", "#include \"deep.h\" \n")
	key("a header", true)
	write("src/deep.h", "2")
	key("a nested header", true)
	write("second/inner.h", "2")
	key("a nested one by -I", true)
	write("second/beside.h", "2")
	key("a nested one by a relative path", true)
	write("pre.h", "2")
	key("a header included before all", true)
	write("first/inner.h", "2")
	key("one that appears earlier in the order", true)
	write("first/outer.h", "#include <inner.h>\n")
	key("another that does", true)
	write("late.h", "1")
	key("one that a header in memory includes, beside it", true)
	write("second/maybe.h", "")
	key("one that is only asked for", true)
	write("second/option.h", "")
	key("one that an option asks for", true)
	write("second/export.h", "")
	key("one that an export asks for", true)
	write("first/maybe.h/x", "")
	key("a folder is no header", false)
	write("other/unused.h", "2")
	write("second/virtual.h", "2")
	write("second/own.h", "2")
	key("files that are not read: elsewhere, behind one in memory, later in the order", false)
	require.NoError(t, os.Remove("first/inner.h"))
	write("second/inner.h", "3")
	key("one that went, and the one behind it", true)
	require.NoError(t, os.Remove("src/own.h"))
	key("one that went from the source's folder", true)

	require.NoError(t, os.Remove("second/mem.h"))
	require.NoError(t, os.Symlink("../other/unused.h", "second/mem.h"))
	key("a link in place of a file", true)
	write("other/unused.h", "3")
	key("what a link leads to", true)
}

// TestChangesWithinATick: a file changed twice within the file system's tick,
// its size and time the same.
func TestChangesWithinATick(t *testing.T) {
	c := double(t, "one", dl.Version{Major: 12, Minor: 4})
	t.Chdir(t.TempDir())
	r := Request{Compiler: c, Source: "#include \"h.h\"\n"}
	disk := &files{settled: machineFiles.settled}
	seen := map[cache.Key]bool{}
	at := time.Now()
	for i := range 10 {
		require.NoError(t, os.WriteFile("h.h", []byte(fmt.Sprint(i)), 0o600))
		require.NoError(t, os.Chtimes("h.h", at, at))
		k, _, err := keyOf(context.Background(), disk, &r, nil)
		require.NoError(t, err)
		assert.False(t, seen[k])
		assert.Empty(t, disk.known, "a finer clock than others have told them apart")
		seen[k] = true
	}
}

// walled is a Runner whose compiles can read folders alone.
type walled struct {
	InProcess
	folders []string
	how     string
}

func (w walled) Reach(*nvrtc.Compiler) ([]string, string) { return w.folders, w.how }

// TestKeysOutOfProcess: a file that compiles can't read doesn't exist for them, so that a
// cache doesn't give what they make to who can read it, nor the other way round.
func TestKeysOutOfProcess(t *testing.T) {
	c := double(t, "one", dl.Version{Major: 12, Minor: 4})
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	in, out := filepath.Join(top, "in"), filepath.Join(top, "out")
	for name, text := range map[string]string{"in/a.h": "1", "out/a.h": "2", "in/b.h": "3", "out/c.h": "4"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o600))
	}
	for link, to := range map[string]string{"in/leads-out.h": "../out/c.h", "out/leads-in.h": "../in/b.h"} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Skip(err) // Windows lets few users
		}
	}
	key := func(a OutOfProcess, source string, folders ...string) cache.Key {
		r := Request{Compiler: c, Source: source, Name: "k.cu"}
		for _, folder := range folders {
			r.Options = append(r.Options, "-I"+folder)
		}
		key, unseen, err := keyOf(context.Background(), &files{}, &r, a)
		require.NoError(t, err)
		require.Empty(t, unseen)
		return key
	}
	inside := walled{folders: []string{in}}
	for _, row := range []struct {
		source  string
		folders []string
		same    bool // as where all can be read
	}{
		{"int x;", []string{out, in}, true},
		{"#include <b.h>", []string{out, in}, true},
		{"#include <a.h>", []string{in, out}, true},
		{"#include <a.h>", []string{out, in}, false},
		{"#include <c.h>", []string{out}, false},
		{"#if __has_include(\"" + out + "/c.h\")", nil, false},
		{"#if __has_include(\"" + out + "/d.h\")", nil, true},
		{"#include <leads-out.h>", []string{in}, false},
		{"#include <leads-in.h>", []string{out}, true},
	} {
		here, there := key(nil, row.source, row.folders...), key(inside, row.source, row.folders...)
		assert.Equal(t, row.same, here == there, "%q in %q", row.source, row.folders)
		assert.Equal(t, here, key(walled{}, row.source, row.folders...), "without walls")
		assert.NotEqual(t, there, key(walled{folders: inside.folders, how: "in memory"}, row.source, row.folders...))
	}
	// What is hidden is as what isn't there.
	before := key(inside, "#include <c.h>", out)
	require.NoError(t, os.Remove(filepath.Join(out, "c.h")))
	assert.Equal(t, before, key(nil, "#include <c.h>", out))
	// No variable of this process reaches another.
	plain := key(inside, "int x;")
	t.Setenv(appendFlags, "-DX=2")
	assert.Equal(t, plain, key(inside, "int x;"))
	assert.NotEqual(t, plain, key(nil, "int x;"))
}

// TestEndlessIncludes: headers that include each other for ever need more of Go's stack
// than there is, which would end the program.
func TestEndlessIncludes(t *testing.T) {
	c := double(t, "one", dl.Version{Major: 12, Minor: 4})
	chain := func(n int) Request {
		r := Request{Compiler: c, Source: "#include \"0\"\n", Headers: map[string]string{}}
		for i := range n {
			r.Headers[fmt.Sprint(i)] = fmt.Sprintf("#include \"%d\"\n", (i+1)%n)
		}
		return r
	}
	mustKey(t, chain(5000))
	r := chain(20_000)
	_, unseen, err := keyOf(context.Background(), &files{}, &r, nil)
	require.NoError(t, err)
	assert.Equal(t, "includes more than 10000 deep", unseen)
	_, err = Confine(context.Background(), &r)
	assert.ErrorContains(t, err, "more than 10000 deep")
	_, err = Enclose(context.Background(), &r)
	assert.NoError(t, err)
}
