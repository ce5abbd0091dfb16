package rtc_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
)

// entriesIn counts the entries in a cache folder, whose files have 62 digits.
func entriesIn(t *testing.T, folder string) (n int) {
	err := filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && len(e.Name()) == 62 {
			n++
		}
		return nil
	})
	require.NoError(t, err)
	return n
}

// TestModulesOfTheCache: a module that was compiled by another process is the
// same module.
func TestModulesOfTheCache(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	folder := filepath.Join(t.TempDir(), "cache")
	for _, arch := range []string{"-arch=sm_80", "-arch=compute_80"} {
		var first *rtc.Module
		for i, want := range []rtc.Stats{{Compiles: 1}, {Cached: 1}, {Cached: 1}} {
			// What the second finds is on disk, the third has it in memory too.
			service := rtc.OpenService(t, folder)
			for range i {
				mod, err := rtc.NewModule(namedKernels, rtc.ModuleConfig{Compiler: c, Service: service, Options: []string{arch}, Exports: []string{"scale<float>", "&table"}})
				require.NoError(t, err)
				require.NoError(t, mod.Close())
			}
			mod, err := rtc.NewModule(namedKernels, rtc.ModuleConfig{Compiler: c, Service: service, Options: []string{arch}, Exports: []string{"scale<float>", "&table"}})
			require.NoError(t, err)
			defer mod.Close()
			assert.Equal(t, want, mod.Stats())
			assert.Empty(t, mod.Uncached())
			assert.Contains(t, mod.Log(), "unused")
			_, err = mod.Kernel("scale<float>", "float *x, float by")
			require.NoError(t, err)
			if first == nil {
				first = mod
			}
			assert.Equal(t, first.PTX(), mod.PTX())
			assert.Equal(t, first.CUBIN(), mod.CUBIN())
			assert.Equal(t, first.Log(), mod.Log())
			assert.Equal(t, first.Target(), mod.Target())
			assert.Equal(t, first.Entries(), mod.Entries())
			require.NoError(t, service.Close())
		}
		assert.Equal(t, strings.HasPrefix(arch, "-arch=sm"), first.CUBIN() != nil)
	}
	assert.Equal(t, 2, entriesIn(t, folder))
}

const namedKernels = `
template <typename T> __global__ void scale(T *x, T by) { int unused; x[threadIdx.x] *= by; }
__constant__ float table[4];
`

func TestMistakesAreNotKept(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	folder := t.TempDir()
	service := rtc.OpenService(t, folder)
	defer service.Close()
	for range 2 {
		_, err := rtc.NewModule("__global__ void k() { x }", rtc.ModuleConfig{Compiler: c, Service: service})
		var refused *nvrtc.CompileError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, `rtc: new module: nvrtc: compile: kernel.cu(1): error: identifier "x" is undefined`, strings.SplitN(err.Error(), ";", 2)[0])
	}
	assert.Equal(t, uint64(2), service.Stats().Failed)
	assert.Zero(t, entriesIn(t, folder))
}

// TestUncached says why, and CacheExtra helps.
func TestUncached(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	folder := t.TempDir()
	service := rtc.OpenService(t, folder)
	defer service.Close()
	for _, extra := range []string{"", "1", "2"} {
		for i := range 2 {
			mod, err := rtc.NewModule("__device__ const char *made() { return __TIME__; }", rtc.ModuleConfig{Compiler: c, Service: service, CacheExtra: extra})
			require.NoError(t, err)
			if extra == "" {
				assert.Equal(t, "__TIME__ in kernel.cu", mod.Uncached())
			} else {
				assert.Empty(t, mod.Uncached())
				assert.Equal(t, uint64(i), mod.Stats().Cached)
			}
			require.NoError(t, mod.Close())
		}
	}
	assert.Equal(t, 2, entriesIn(t, folder))
}

// TestCacheOff: PURECUDA_CACHE=off, as it is for this package's tests.
func TestCacheOff(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for range 2 {
		mod, err := rtc.NewModule(axpySource, rtc.ModuleConfig{Compiler: c})
		require.NoError(t, err)
		assert.Equal(t, rtc.Stats{Compiles: 1}, mod.Stats())
		require.NoError(t, mod.Close())
	}
	assert.Zero(t, entriesIn(t, os.Getenv("XDG_CACHE_HOME")))
}

// TestCacheThatCannotBe: a folder that is a file fails no compile, and is told once.
func TestCacheThatCannotBe(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	service := rtc.OpenService(t, filepath.Join(file, "cache"))
	for i := range 20 { // more than a tier may fail in a row
		for _, want := range []rtc.Stats{{Compiles: 1}, {Cached: 1}} {
			mod, err := rtc.NewModule(axpySource, rtc.ModuleConfig{Compiler: c, Service: service, Options: []string{"-DN=" + strconv.Itoa(i)}})
			require.NoError(t, err)
			assert.Equal(t, want, mod.Stats(), "memory has it")
			require.NoError(t, mod.Close())
		}
	}
	require.NoError(t, service.Close())
	assert.Regexp(t, `^time=\S+ level=WARN msg="the compile cache can't be read: kernels are compiled again" hint="PURECUDA_CACHE names another folder, or is off" folder=\S+/file/cache error=".*not a directory"\n$`, log.String())

	log.Reset()
	service = rtc.OpenService(t, t.TempDir())
	mod, err := rtc.NewModule(axpySource, rtc.ModuleConfig{Compiler: c, Service: service})
	require.NoError(t, err)
	require.NoError(t, mod.Close())
	require.NoError(t, service.Close())
	assert.Empty(t, log.String())
}

// TestCancelReturnsAtOnce, though NVRTC before 12.8 goes on.
func TestCancelReturnsAtOnce(t *testing.T) {
	for _, v := range []dl.Version{{Major: 12, Minor: 4}, {Major: 12, Minor: 8}} {
		t.Run(v.String(), func(t *testing.T) {
			gate := make(chan struct{})
			fake := nvrtctest.New(nvrtctest.Config{Version: v, Compile: func(c *nvrtctest.Compile) {
				if c.Wait(gate) {
					c.Default()
				}
			}})
			c, err := nvrtc.Bind(fake)
			require.NoError(t, err)
			service := rtc.OpenService(t, "off")
			ctx, cancel := context.WithCancel(context.Background())
			failed := make(chan error)
			go func() {
				_, err := rtc.NewModuleContext(ctx, axpySource, rtc.ModuleConfig{Compiler: c, Service: service, Options: []string{"-arch=compute_90"}})
				failed <- err
			}()
			waitFor(t, func() bool { return fake.Running() == 1 })
			began := time.Now()
			cancel()
			err = <-failed
			took := time.Since(began)
			require.ErrorIs(t, err, context.Canceled)
			t.Logf("%v", took)
			assert.Less(t, took, time.Second) // 10 ms on a quiet machine
			close(gate)
			waitFor(t, func() bool { return fake.Running() == 0 })
			require.NoError(t, service.Close())
			require.NoError(t, c.Close())
			waitFor(t, func() bool { return fake.Live() == 0 })
			fake.Check(t)
		})
	}
}

// TestCacheMakesNoFolderHere: "off" is no folder in any spelling, nor is what
// does not begin at the root.
func TestCacheMakesNoFolderHere(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4}) // before the tests' folder is left
	t.Chdir(t.TempDir())
	whole := filepath.Join(t.TempDir(), "whole")
	for _, name := range []string{"OFF", "here", whole} {
		service := rtc.OpenService(t, name)
		mod, err := rtc.NewModule(axpySource, rtc.ModuleConfig{Compiler: c, Service: service, Options: []string{"-arch=compute_90"}})
		require.NoError(t, err)
		require.NoError(t, mod.Close())
		require.NoError(t, service.Close()) // by then it has kept what it keeps
		_, err = os.Stat(name)
		require.Equal(t, name != whole, errors.Is(err, fs.ErrNotExist), name)
	}
}
