package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
	"github.com/purecuda/purecuda/rtc/child/jail"
)

// diagnosed runs doctor and reads what it says to programs.
func (d *desk) diagnosed() (diagnosis, int) {
	d.t.Helper()
	r := d.run("doctor", "-json")
	var found diagnosis
	require.NoError(d.t, json.Unmarshal([]byte(r.out), &found), "%s%s", r.out, r.err)
	assert.Empty(d.t, r.err)
	return found, r.code
}

func TestDoctorWithEach(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	for _, c := range nvrtctest.Reals() {
		t.Run(c.Version().String(), func(t *testing.T) {
			d := newDesk(t, c.Version())
			found, code := d.diagnosed()
			require.Zero(t, code, "%v", found.Problems)
			real, err := filepath.EvalSymlinks(c.Path())
			require.NoError(t, err)
			assert.Equal(t, real, found.NVRTC.Path)
			assert.Equal(t, c.Version().String(), found.NVRTC.Version)
			assert.Equal(t, "environment variable", found.NVRTC.Source)
			assert.Equal(t, "PURECUDA_NVRTC", found.NVRTC.From)
			require.NotEmpty(t, found.NVRTC.Beside)
			assert.Contains(t, found.NVRTC.Beside[0], "libnvrtc-builtins")
			assert.Len(t, found.NVRTC.Architectures, len(c.KnownArchs()))
			assert.True(t, found.Compile.Works)
			assert.Equal(t, runtime.GOOS == "linux", found.Worker.Works, found.Worker.Error)
			require.NotEmpty(t, found.Launches)
			assert.True(t, found.Launches[0].Works)
			assert.Equal(t, len(found.Driver.Devices) == 0, found.Launches[0].Simulated, "it says which")
			assert.Empty(t, found.Problems)

			text := d.good("doctor").out
			for _, want := range []string{real, "found by: environment variable PURECUDA_NVRTC", "compile    works: ", "launch     works on ", "Compiling and launching work."} {
				assert.Contains(t, text, want)
			}
		})
	}
}

// A machine with nothing on it gets a diagnosis like all others, and kernels run.
func TestDoctorWithNothing(t *testing.T) {
	d := bareDesk(t)
	found, code := d.diagnosed()
	if found.NVRTC.Error == "" || found.Driver.Error == "" {
		t.Skip("the machine has an NVRTC or a driver of its own")
	}
	assert.Equal(t, 3, code)
	require.Len(t, found.Problems, 1, "that there is no GPU is none: %q", found.Problems)
	assert.Contains(t, found.Problems[0], "there is no NVRTC")
	assert.Contains(t, found.NVRTC.Error, "install")
	assert.NotEmpty(t, found.NVRTC.Skipped)
	assert.False(t, found.Compile.Works)
	require.Len(t, found.Launches, 1)
	assert.True(t, found.Launches[0].Works)
	assert.True(t, found.Launches[0].Simulated)
	r := d.run("doctor")
	assert.Equal(t, 3, r.code)
	assert.Contains(t, r.out, "problem:   there is no NVRTC")
	assert.Contains(t, r.out, "passed over: system's loader: ")
}

// What was passed over is told, with the reason, and so is what is no library.
func TestDoctorSaysWhatWasPassedOver(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	good := d.env["PURECUDA_NVRTC"]
	d.env["PURECUDA_NVRTC"] = d.path("scale.cu")
	d.env["LD_LIBRARY_PATH"] = filepath.Dir(good)
	d.env["PURECUDA_CUDA"] = d.path("by.h")
	found, code := d.diagnosed()
	assert.Equal(t, 3, code)
	require.NotEmpty(t, found.NVRTC.Skipped)
	assert.Equal(t, d.path("scale.cu"), found.NVRTC.Skipped[0].Path)
	assert.NotEmpty(t, found.NVRTC.Skipped[0].Reason)
	assert.Equal(t, "system's loader", found.NVRTC.Source)
	assert.True(t, found.Compile.Works)
	require.Len(t, found.Problems, 1)
	assert.Contains(t, found.Problems[0], "PURECUDA_CUDA leads to no driver")
}

// A driver that is there without a GPU is told from none, and is no problem.
func TestDoctorDriverWithoutGPU(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	libcuda := ""
	for dir, _ := os.Getwd(); filepath.Dir(dir) != dir && libcuda == ""; dir = filepath.Dir(dir) {
		if found, _ := filepath.Glob(filepath.Join(dir, ".deps/libcuda-*/usr/lib/*/nvidia/current/libcuda.so.1")); len(found) > 0 {
			libcuda = found[0]
		}
	}
	if _, err := os.Stat("/proc/driver/nvidia/version"); libcuda == "" || err == nil {
		if libcuda == "" && nvrtctest.Required("libcuda") {
			t.Fatal("libcuda is required, and there is none under .deps: run ci/setup")
		}
		t.Skip("no libcuda here that sees no GPU: ci/setup gets one")
	}
	d.env["PURECUDA_CUDA"] = libcuda
	d.env["CUDA_VISIBLE_DEVICES"] = ""
	found, code := d.diagnosed()
	assert.Zero(t, code, "%v", found.Problems)
	assert.Equal(t, "the one at "+libcuda+" sees no GPU; in a container, start it with the GPUs; CUDA_VISIBLE_DEVICES hides those that it does not list", found.Driver.Error)
	assert.Contains(t, found.Variables, variable{"CUDA_VISIBLE_DEVICES", "", "which devices there are, and in which order"})
	assert.True(t, found.Launches[0].Simulated)
}

func TestDoctorKnowsTheEnvironment(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	d.env["NVRTC_APPEND_FLAGS"] = "-lineinfo"
	d.env["PURECUDA_CAHCE"] = "secret"
	d.env["PURECUDA_CACHE"] = "redis://user:secret@host/0" // which is no folder
	d.env["PURECUDA_DEVICE"] = "sim"
	found, code := d.diagnosed()
	assert.Zero(t, code)
	assert.Contains(t, found.Variables, variable{"NVRTC_APPEND_FLAGS", "-lineinfo", "options that NVRTC appends to all others, if its version does; part of the cache's key"})
	assert.Contains(t, found.Notes, "nothing reads the variable PURECUDA_CAHCE (did you mean PURECUDA_CACHE?)")
	assert.Contains(t, found.Cache.Problem, "a relative folder")
	assert.NotContains(t, d.run("doctor").out+d.run("doctor", "-json").out, "secret")
}

// Builtins that are missing are the most common fault of a copied libnvrtc.
func TestDoctorMissesBuiltins(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	real, err := filepath.EvalSymlinks(d.env["PURECUDA_NVRTC"])
	require.NoError(t, err)
	alone := d.path("libnvrtc.so.12")
	text, err := os.ReadFile(real)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(alone, text, 0o700))
	d.env["PURECUDA_NVRTC"] = alone
	found, code := d.diagnosed()
	assert.Equal(t, 3, code)
	require.NotEmpty(t, found.Problems)
	assert.Contains(t, found.Problems[0], "libnvrtc-builtins.so.12.4")
	require.NotEmpty(t, found.Notes)
	assert.Contains(t, found.Notes[0], "no libnvrtc-builtins lies beside "+alone)
	assert.False(t, found.Compile.Works)
	assert.True(t, found.Launches[0].Works, "PTX that was made before runs")
}

func TestDoctorOnWalls(t *testing.T) {
	var d diagnosis
	d.lookAtWalls(jail.Walls{Landlock: 3, Seccomp: true})
	assert.Empty(t, d.Notes)
	assert.Equal(t, 3, d.Walls.Landlock)
	d.lookAtWalls(jail.Walls{Seccomp: true})
	d.lookAtWalls(jail.Walls{})
	require.Len(t, d.Notes, 2)
	assert.Contains(t, d.Notes[0], "one that is included by a macro")
	assert.Contains(t, d.Notes[1], "compile.Confine")
	found, _ := bareDesk(t).diagnosed()
	now := jail.Probe()
	assert.Equal(t, walls{Landlock: now.Landlock, Seccomp: now.Seccomp, Namespaces: now.Namespaces}, found.Walls)
}

func TestDoctorSeesTheCache(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	found, _ := d.diagnosed()
	assert.Equal(t, kept{Folder: d.path("cache")}, found.Cache, "and doctor makes none")
	assert.NoDirExists(t, d.path("cache"))
	disk := cache.NewDisk(cache.DiskConfig{Dir: d.path("cache")})
	require.NoError(t, disk.Put(t.Context(), cachetest.Key(1), cachetest.Entry(1, 1000)))
	found, _ = d.diagnosed()
	assert.Equal(t, 1, found.Cache.Entries)
	assert.Greater(t, found.Cache.Bytes, int64(1000))
	require.NoError(t, os.Chmod(d.path("cache"), 0o777))
	found, code := d.diagnosed()
	assert.Zero(t, code, "kernels are compiled all the same")
	assert.Contains(t, found.Cache.Problem, "can be written by other users")
	require.NotEmpty(t, found.Notes)
	assert.Contains(t, found.Notes[0], "chmod go-w")
	d.env["PURECUDA_CACHE"] = "off"
	found, _ = d.diagnosed()
	assert.Equal(t, kept{Off: true}, found.Cache)
}
