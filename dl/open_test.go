//go:build (linux || windows) && (amd64 || arm64)

package dl

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// nameOn is what a release's NVRTC is called here, given the Linux suffix.
func nameOn(suffix string) string {
	if runtime.GOOS == "windows" {
		major, minor, _ := strings.Cut(suffix, ".")
		if minor == "" {
			minor = "0"
		}
		return "nvrtc64_" + major + minor + "_0.dll"
	}
	return "libnvrtc.so." + suffix
}

func cudaName() string {
	if runtime.GOOS == "windows" {
		return "nvcuda.dll"
	}
	return "libcuda.so.1"
}

// clean is this machine without what other tests have loaded and without the
// variables that a search reads, but for those given.
func clean(t *testing.T, env map[string]string) *machine {
	m := thisMachine()
	m.getenv = func(n string) string { return env[n] }
	m.environ = func() []string { return nil }
	m.loaded = func(Spec) []string { return nil }
	return m
}

func nvrtcVersion(t *testing.T, l *Library) string {
	t.Helper()
	f, err := l.Lookup("nvrtcVersion")
	require.NoError(t, err)
	v := new([2]int32)
	require.Zero(t, f.Call(uintptr(unsafe.Pointer(&v[0])), uintptr(unsafe.Pointer(&v[1]))))
	return Version{int(v[0]), int(v[1])}.String()
}

// CASES B03, with libraries that can say which they are.
func TestOpenTheNewest(t *testing.T) {
	dir, below := tempDir(t), []string{"lib64", "lib"}
	if runtime.GOOS == "windows" {
		below = []string{"bin", filepath.Join("bin", "x64")}
	}
	put(t, "nvrtc-11.2", dir, below[0], nameOn("11.2"))
	newest := put(t, "nvrtc-13.0", dir, below[1], nameOn("13"))
	put(t, "nvrtc-12.4", dir, below[1], "libnvrtc.alt.so.13")
	put(t, "nvrtc-12.4", dir, below[1], "nvrtc64_130_0.alt.dll")
	lib, err := NVRTC.search(clean(t, map[string]string{"CUDA_HOME": dir}), "", nil)
	require.NoError(t, err)
	assert.Equal(t, "13.0", nvrtcVersion(t, lib))
	assert.Equal(t, newest, lib.Path())
	assert.Equal(t, ByToolkit, lib.Source())
	assert.Equal(t, "CUDA_HOME", lib.From())

	// A caller who wants an older one goes on.
	old, err := NVRTC.search(clean(t, map[string]string{"CUDA_HOME": dir}), "", func(l *Library) error {
		if v := nvrtcVersion(t, l); v != "11.2" {
			return fmt.Errorf("it is %s", v)
		}
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, "11.2", nvrtcVersion(t, old))
	require.NotEmpty(t, old.Refused())
	assert.Equal(t, "CUDA_HOME: "+newest+": it is 13.0", old.Refused()[0].String())
}

// CASES B07: what would kill the process, or end the search with a riddle.
func TestOpenPastBrokenFiles(t *testing.T) {
	dir := tempDir(t)
	whole, err := os.ReadFile(fixtureFile(t, "nvrtc-12.4"))
	require.NoError(t, err)
	machineAt, other := 18, byte(183) // e_machine
	if runtime.GOARCH == "arm64" {
		other = 62
	}
	if runtime.GOOS == "windows" {
		machineAt, other = int(whole[60])+int(whole[61])<<8+5, 0x01 // the high byte of the COFF machine
	}
	cut := len(whole) / 2
	if runtime.GOOS == "windows" {
		cut = 1024
	}
	for suffix, b := range map[string][]byte{
		"18": whole[:cut], "17": patch(whole, machineAt, other), "16": []byte("see ../lib\n"), "15": {}, "14": whole[:64],
	} {
		write(t, b, dir, nameOn(suffix))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, nameOn("19")), 0o755))
	good := put(t, "nvrtc-12.4", dir, nameOn("12"))
	lib, err := NVRTC.search(clean(t, map[string]string{"PURECUDA_NVRTC": dir}), "", nil)
	require.NoError(t, err)
	assert.Equal(t, good, lib.Path())
	assert.Equal(t, ByVariable, lib.Source())
	require.Len(t, lib.Refused(), 6)
	for i, want := range []string{"not a regular file", "cut short: ", "wrong architecture: it is for ", "not a shared library but 11 bytes", "an empty file", "cut short: "} {
		assert.Contains(t, lib.Refused()[i].Err.Error(), want)
	}
}

// CASES B05: the stub opens, and its cuInit answers 34.
func TestOpenPastAStub(t *testing.T) {
	dir := tempDir(t)
	stub := put(t, "cuda-stub", dir, "a", cudaName())
	good := put(t, "cuda", dir, "b", cudaName())
	initialise := func(l *Library) error {
		f, err := l.Lookup("cuInit")
		if err == nil && int32(f.Call(0)) == 34 {
			err = fmt.Errorf("a stub: cuInit answers 34")
		}
		return err
	}
	if runtime.GOOS == "linux" {
		put(t, "cuda-stub", dir, "stubs", cudaName()) // not even opened
		m := clean(t, map[string]string{"LD_LIBRARY_PATH": strings.Join([]string{dir + "/stubs", dir + "/a", dir + "/b"}, ":")})
		lib, err := CUDA.search(m, "", initialise)
		require.NoError(t, err)
		assert.Equal(t, good, lib.Path())
		assert.Equal(t, BySystem, lib.Source())
		require.Len(t, lib.Refused(), 2)
		assert.Equal(t, "LD_LIBRARY_PATH: "+dir+"/stubs/libcuda.so.1: a stub, for linking only: it does nothing", lib.Refused()[0].String())
		assert.Equal(t, "LD_LIBRARY_PATH: "+stub+": a stub: cuInit answers 34", lib.Refused()[1].String())
	}
	_, err := CUDA.OpenChecked(stub, initialise)
	assert.EqualError(t, err, "dl: find the CUDA driver: "+stub+": a stub: cuInit answers 34")
	lib, err := CUDA.OpenChecked(filepath.Dir(good), initialise)
	require.NoError(t, err)
	assert.Equal(t, ByPath, lib.Source())
}

func TestOpenWhatIsLoaded(t *testing.T) {
	dir, name, spec := tempDir(t), "libpurecudaloaded.so.3", NVRTC // no other test's
	if runtime.GOOS == "windows" {
		name = "purecudaloaded_30_0.dll"
	}
	spec.linux.stem = "libpurecudaloaded"
	spec.windows = naming{stem: "purecudaloaded", names: func() []string { return []string{name} }}
	put(t, "nvrtc-13.0", dir, name)
	dir, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	first, err := Open(filepath.Join(dir, name))
	require.NoError(t, err)
	m := clean(t, nil)
	m.loaded = loaded
	lib, err := spec.search(m, "", nil)
	require.NoError(t, err)
	assert.Equal(t, ByProcess, lib.Source())
	assert.Equal(t, first.handle, lib.handle, "it is the same library")

	if runtime.GOOS == "windows" {
		return // a loaded file can't be removed there
	}
	// Nor is it lost when its file is replaced, as by an update.
	require.NoError(t, os.Remove(filepath.Join(dir, name)))
	lib, err = spec.search(m, "", nil)
	require.NoError(t, err)
	assert.Equal(t, first.handle, lib.handle)
}

// What a library says of itself does not depend on how it was asked for.
func TestLibraryKnowsItsPath(t *testing.T) {
	dir, err := filepath.EvalSymlinks(tempDir(t))
	require.NoError(t, err)
	real := put(t, "nvrtc-11.2", dir, nameOn("11.2")+".real")
	if runtime.GOOS == "windows" {
		t.Chdir(dir)
		lib, err := Open("." + `\` + filepath.Base(real))
		require.NoError(t, err)
		assert.True(t, strings.EqualFold(real, lib.Path()), lib.Path())
		return
	}
	link := filepath.Join(dir, "libnvrtc.so.11.2")
	require.NoError(t, os.Symlink(filepath.Base(real), link))
	t.Chdir(dir)
	for _, name := range []string{link, "./libnvrtc.so.11.2", dir + "/../" + filepath.Base(dir) + "/libnvrtc.so.11.2"} {
		lib, err := NVRTC.Open(name)
		require.NoError(t, err)
		assert.Equal(t, link, lib.Path(), name)
		assert.Equal(t, real, lib.RealPath(), name)
		assert.Equal(t, ByPath, lib.Source())
	}
	lib, err := Open("libc.so.6") // by the loader's own rules
	require.NoError(t, err)
	assert.True(t, filepath.IsAbs(lib.Path()), lib.Path())
}

func TestOpenErrors(t *testing.T) {
	dir := tempDir(t)
	_, err := Open(filepath.Join(dir, "none.so"))
	require.Error(t, err)
	assert.Equal(t, 1, strings.Count(err.Error(), "none.so"), "the path is named once: %v", err)
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = Open("libpurecuda-none.so.1")
	require.ErrorContains(t, err, "dl: open libpurecuda-none.so.1: ")
	assert.Equal(t, 1, strings.Count(err.Error(), "libpurecuda-none"), "%v", err)
	_, err = NVRTC.Open("")
	if err != nil {
		assert.IsType(t, &NotFoundError{}, err)
	}
}

func TestLookup(t *testing.T) {
	lib, err := Open(fixtureFile(t, "abi"))
	require.NoError(t, err)
	_, err = lib.Lookup("noSuchFunction")
	require.ErrorIs(t, err, ErrNoSymbol)
	var missing *SymbolError
	require.ErrorAs(t, err, &missing)
	assert.Equal(t, "noSuchFunction", missing.Symbol)
	assert.ErrorContains(t, err, "dl: lookup: "+lib.Path()+" has no function noSuchFunction")
}

// C takes what stands before a NUL: another library, another function.
func TestOpenRefusesNUL(t *testing.T) {
	known := map[string]string{"linux": "libc.so.6", "windows": "kernel32.dll"}[runtime.GOOS]
	_, err := Open(known)
	require.NoError(t, err)
	_, err = Open(known + "\x00x")
	require.Error(t, err)
	_, err = NVRTC.Open(known + "\x00x")
	require.Error(t, err)
	lib, err := Open(fixtureFile(t, "nvrtc-12.4"))
	require.NoError(t, err)
	_, err = lib.Lookup("nvrtcVersion\x00x")
	require.ErrorIs(t, err, ErrNoSymbol)
}

// dlerror's text belongs to a thread. From many goroutines at once, each error
// must be about the goroutine's own symbol and file.
func TestErrorsAreOnesOwn(t *testing.T) {
	lib, err := Open(fixtureFile(t, "abi"))
	require.NoError(t, err)
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 100 {
				symbol := fmt.Sprintf("missing_%d_%d_", g, i)
				_, err := lib.Lookup(symbol)
				if runtime.GOOS == "linux" {
					assert.Equal(t, 2, strings.Count(fmt.Sprint(err), symbol), "%v", err) // once by us, once by the loader
				}
				_, err = Open("lib" + symbol + ".so")
				assert.ErrorContains(t, err, "lib"+symbol)
				assert.NotContains(t, strings.ReplaceAll(err.Error(), symbol, ""), "missing_")
			}
		})
	}
	wg.Wait()
}
