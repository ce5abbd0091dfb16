package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// Every NVRTC that is here compiles, and standard output has the output alone.
func TestCompileWithEach(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	for _, c := range nvrtctest.Reals() {
		t.Run(c.Version().String(), func(t *testing.T) {
			d := newDesk(t, c.Version())
			r := d.good("compile", "-e", "axpy<float>", "-arch", "compute_70", "-o", "-", "axpy.cu")
			assert.Contains(t, r.out, ".entry _Z4axpyIfEvPKT_PS0_S0_")
			assert.True(t, strings.HasPrefix(r.out, "//"), r.out)
			assert.Contains(t, r.err, `axpy.cu:3`)
			assert.Contains(t, r.err, `warning: variable "unused" was declared but never referenced`)

			d.good("compile", "-w", "-e", "axpy<float>", "-arch", "sm_80", "axpy.cu")
			assert.True(t, strings.HasPrefix(d.read("axpy.cubin"), "\x7fELF"))
			d.good("compile", "-w", "-e", "axpy<float>", "-arch", "sm_80", "-ptx", "axpy.cu")
			assert.Contains(t, d.read("axpy.ptx"), ".target sm_80")

			r = d.run("compile", "-w", "-arch", "sm_80", "-dlto", "axpy.cu")
			if c.Version().AtLeast(12, 0) {
				assert.Zero(t, r.code)
				assert.NotEmpty(t, d.read("axpy.ltoir"))
			} else {
				assert.NotZero(t, r.code)
				assert.NoFileExists(t, d.path("axpy.ltoir"))
			}
		})
	}
}

// Standard input goes to standard output.
func TestCompileStream(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	c := d.command("compile", "-")
	c.Stdin = strings.NewReader(`extern "C" __global__ void piped() {}`)
	r := d.finish(c)
	require.Zero(t, r.code, r.err)
	assert.Contains(t, r.out, ".entry piped()")
	assert.Empty(t, r.err)
	c = d.command("compile", "-")
	r = d.finish(c)
	assert.Equal(t, result{2, "", "purecuda: stdin.cu is empty\n"}, r)
}

// What there was stays when there is nothing to put in its place.
func TestCompileKeepsWhatIsThere(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	d.write("bad.ptx", "before")
	r := d.run("compile", "bad.cu")
	assert.Equal(t, 1, r.code)
	assert.Equal(t, "before", d.read("bad.ptx"))
	d.good("compile", "scale.cu", "-o", "bad.ptx")
	assert.Contains(t, d.read("bad.ptx"), ".entry scale")
}

func TestCompileConfig(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	d.write("good.toml", "[compiler]\nmax_threads = 2\n[cache]\ntiers = [\"memory:\", \"disk:"+filepath.ToSlash(d.path("tier"))+"\"]\n")
	r := d.good("compile", "-config", "good.toml", "-warm", "scale.cu")
	assert.Contains(t, r.err, "1 compiled")
	assert.Contains(t, d.good("compile", "-cache", "tier", "-list", "scale.cu").out, ": cached")
	assert.NoDirExists(t, d.path("cache"), "the user's own is left alone")

	d.write("bad.toml", "[compiler]\nthreads = 2\n")
	r = d.run("compile", "-config", "bad.toml", "scale.cu")
	assert.Equal(t, 2, r.code)
	assert.Contains(t, r.err, "bad.toml: line 2: compiler.threads is not known")
	d.write("memory.toml", "[cache]\ntiers = [\"memory:\"]\n")
	r = d.run("compile", "-config", "memory.toml", "-warm", "scale.cu")
	assert.Equal(t, 2, r.code)
	assert.Contains(t, r.err, "memory alone")
	d.good("compile", "-config", "memory.toml", "scale.cu")
	d.write("none.toml", "[cache]\ntiers = []\n")
	r = d.run("compile", "-config", "none.toml", "-warm", "scale.cu")
	assert.Equal(t, 2, r.code)
	assert.Contains(t, r.err, "there is no cache")
}

// A folder that can't be used costs a warning, and no result.
func TestCompileWithoutTheCache(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	d.write("file", "")
	d.env["PURECUDA_CACHE"] = d.path("file")
	r := d.good("compile", "scale.cu")
	assert.Equal(t, 1, strings.Count(r.err, "\n"), r.err)
	assert.Contains(t, r.err, "is not a folder")
	assert.FileExists(t, d.path("scale.ptx"))
	r = d.run("compile", "-warm", "scale.cu")
	assert.Equal(t, 3, r.code)
	assert.Contains(t, r.err, "is not a folder")
}

func TestCompileWithoutNVRTC(t *testing.T) {
	d := bareDesk(t)
	d.env["PURECUDA_NVRTC"] = d.path("scale.cu") // none
	r := d.run("compile", "scale.cu")
	if r.code == 0 {
		t.Skip("the machine has an NVRTC of its own")
	}
	assert.Equal(t, 3, r.code)
	assert.Contains(t, r.err, "NVRTC")
	assert.Contains(t, r.err, "PURECUDA_NVRTC")
}

// slow keeps NVRTC busy for many seconds.
const slow = `
template <int N, int M> struct f { static const int v = f<N - 1, M>::v + f<N - 1, M + (1 << N)>::v; };
template <int M> struct f<0, M> { static const int v = M % 7; };
extern "C" __global__ void k(int *x) { *x = f<19, 0>::v; }
`

func TestCompileTimeout(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	d.write("slow.cu", slow)
	d.folder("out")
	r := d.run("compile", "-timeout", "50ms", "slow.cu", "scale.cu", "-j", "1", "-o", "out/")
	assert.Equal(t, 1, r.code, r.err)
	assert.Contains(t, r.err, "slow.cu: error: ")
	assert.Contains(t, r.err, "after 50ms: it ran for too long")
	assert.NoFileExists(t, d.path("out/slow.ptx"))
}

func TestCompileJSON(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	d.folder("out")
	r := d.good("compile", "-json", "-arch", "sm_80,sm_90", "-e", "axpy<float>", "axpy.cu", "-o", "out/")
	var report struct {
		Results []compiled
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &report))
	require.Len(t, report.Results, 2)
	for _, one := range report.Results {
		info, err := os.Stat(d.path(one.Output))
		require.NoError(t, err)
		assert.EqualValues(t, one.Bytes, info.Size())
		assert.Equal(t, "const float *, float *, float", one.Signatures["axpy<float>"])
		assert.Len(t, one.Key, 64)
	}
	report.Results = nil
	r = d.good("compile", "-json", "-list", "axpy.cu")
	require.NoError(t, json.Unmarshal([]byte(r.out), &report))
	assert.Empty(t, report.Results[0].Origin)
	assert.NotEmpty(t, report.Results[0].Key)
}

// TestWriteFile: all or nothing, whatever happens in the middle.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "k.ptx")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	require.NoError(t, writeFile(name, text("first")))
	broken := errors.New("in the middle")
	err := writeFile(name, func(w io.Writer) error {
		require.NoError(t, text("sec")(w))
		return broken
	})
	require.ErrorIs(t, err, broken)
	assert.ErrorContains(t, err, name)
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "first", string(got))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 1, "nothing is left beside it")
	assert.ErrorContains(t, writeFile(dir, text("x")), "is a folder")
	if runtime.GOOS == "windows" {
		return
	}
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink("k.ptx", link))
	require.NoError(t, writeFile(link, text("through it")))
	got, err = os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "through it", string(got))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)
	require.NoError(t, writeFile(os.DevNull, text("x")))
	info, err = os.Stat(os.DevNull)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeDevice, "it is one still")
	plain := filepath.Join(dir, "plain")
	require.NoError(t, os.WriteFile(plain, nil, 0o666))
	want, err := os.Stat(plain)
	require.NoError(t, err)
	info, err = os.Stat(name)
	require.NoError(t, err)
	assert.Equal(t, want.Mode(), info.Mode(), "as any program's files")
}
