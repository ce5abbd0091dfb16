package driver_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
)

// stubC is a driver with just enough for a launch, which does nothing.
const stubC = `
#include <stddef.h>
#include <string.h>
typedef unsigned long long ptr;
int cuInit(unsigned f) { return 0; }
int cuDriverGetVersion(int *v) { *v = 12000; return 0; }
int cuDeviceGetCount(int *n) { *n = 1; return 0; }
int cuDeviceGet(int *d, int i) { *d = i; return 0; }
int cuDeviceGetName(char *s, int n, int d) { strcpy(s, "stub"); return 0; }
int cuDeviceGetAttribute(int *v, int a, int d) { *v = a == 75 ? 9 : 65535; return 0; }
int cuDevicePrimaryCtxRetain(void **c, int d) { *c = (void *)16; return 0; }
int cuDevicePrimaryCtxRelease_v2(int d) { return 0; }
static __thread void *current;
int cuCtxSetCurrent(void *c) { current = c; return 0; }
int cuCtxGetCurrent(void **c) { *c = current; return 0; }
int cuModuleLoadDataEx(void **m, void *image, unsigned n, void *o, void *v) { *m = (void *)32; return 0; }
int cuModuleUnload(void *m) { return 0; }
int cuModuleGetFunction(void **f, void *m, char *name) { *f = (void *)48; return 0; }
int cuFuncGetAttribute(int *v, int a, void *f) { *v = a == 0 ? 1024 : 0; return 0; }
int cuStreamCreate(void **s, unsigned f) { *s = (void *)64; return 0; }
int cuStreamDestroy_v2(void *s) { return 0; }
int cuStreamSynchronize(void *s) { return 0; }

// The last launch, for the test to see that each argument arrived.
unsigned long long seen[16];
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned sh, void *s, void **p, void **e) {
	seen[0] = (ptr)f; seen[1] = gx; seen[2] = gy; seen[3] = gz; seen[4] = bx; seen[5] = by; seen[6] = bz; seen[7] = sh;
	seen[8] = (ptr)s; seen[9] = p ? *(unsigned *)p[0] : 0; seen[10] = (ptr)e;
	return 0;
}
int cuLaunchKernelEx(unsigned *c, void *f, void **p, void **e) {
	for (int i = 0; i < 7; i++) seen[1 + i] = c[i];
	seen[0] = (ptr)f; seen[8] = *(ptr *)(c + 8); seen[9] = p ? *(unsigned *)p[0] : 0; seen[10] = (ptr)e;
	unsigned *attr = *(unsigned **)(c + 10);
	seen[11] = c[12]; seen[12] = attr[0]; seen[13] = attr[2]; seen[14] = attr[3]; seen[15] = attr[4];
	return 0;
}
int read_seen(unsigned long long *to) { memcpy(to, seen, sizeof seen); return 0; }
`

// stub builds the C driver and opens it.
func stub(t testing.TB) *dl.Library { return stubOf(t, stubC) }

func stubOf(t testing.TB, source string) *dl.Library {
	t.Helper()
	lib, err := dl.Open(buildC(t, t.TempDir(), "libstub.so", source))
	require.NoError(t, err)
	return lib
}

// buildC makes a shared library of C source, and returns its path.
func buildC(t testing.TB, dir, name, source string) string {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOOS != "linux" {
		skip(t, "gcc", "needs gcc on Linux")
	}
	c, so := filepath.Join(dir, "source.c"), filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(c, []byte(source), 0o644))
	out, err := exec.Command(gcc, "-O2", "-shared", "-fPIC", "-o", so, c).CombinedOutput()
	require.NoError(t, err, string(out))
	return so
}

func stubLaunch(t testing.TB, lib *dl.Library, config driver.LaunchConfig, params []unsafe.Pointer) (*driver.Launch, *driver.Stream) {
	t.Helper()
	d, err := driver.Bind(lib)
	require.NoError(t, err)
	c := open(t, d)
	l, err := function(t, load(t, c, "x"), "k").Prepare(config, params)
	require.NoError(t, err)
	return l, stream(t, c)
}

// Every word of the call must arrive in C.
func TestLaunchCrossesTheABI(t *testing.T) {
	lib := stub(t)
	value := uint32(4711)
	readSeen, err := lib.Lookup("read_seen")
	require.NoError(t, err)
	seen := new([16]uint64)

	config := driver.LaunchConfig{Grid: driver.Dim(1, 2, 3), Block: driver.Dim(4, 5, 6), SharedMem: 7}
	l, s := stubLaunch(t, lib, config, []unsafe.Pointer{unsafe.Pointer(&value)})
	require.NoError(t, l.Enqueue(s))
	readSeen.Call(uintptr(unsafe.Pointer(seen)))
	require.Equal(t, [16]uint64{48, 1, 2, 3, 4, 5, 6, 7, 64, 4711}, *seen)

	config.Grid, config.Cluster = driver.Dim(8, 9, 10), driver.Dim(2, 3)
	l, s = stubLaunch(t, lib, config, []unsafe.Pointer{unsafe.Pointer(&value)})
	require.NoError(t, l.Enqueue(s))
	readSeen.Call(uintptr(unsafe.Pointer(seen)))
	require.Equal(t, [16]uint64{48, 8, 9, 10, 4, 5, 6, 7, 64, 4711, 0, 1, 4, 2, 3, 1}, *seen)
}

func TestEnqueueAllocatesNothing(t *testing.T) {
	l, s := stubLaunch(t, stub(t), driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}, nil)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if err := l.Enqueue(s); err != nil {
			t.Fatal(err)
		}
	}))
}

func BenchmarkEnqueue(b *testing.B) {
	value := uint32(1)
	l, s := stubLaunch(b, stub(b), driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}, []unsafe.Pointer{unsafe.Pointer(&value)})
	b.ReportAllocs()
	for b.Loop() {
		if err := l.Enqueue(s); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBare is the least that such a call can cost from Go.
func BenchmarkBare(b *testing.B) {
	f, err := stub(b).Lookup("cuLaunchKernel")
	require.NoError(b, err)
	value := new(uint32)
	params := []unsafe.Pointer{unsafe.Pointer(value)}
	words := [11]uintptr{48, 1, 1, 1, 1, 1, 1, 0, 64, uintptr(unsafe.Pointer(&params[0])), 0}
	b.ReportAllocs()
	for b.Loop() {
		if r := f.CallSlice(words[:]); r != 0 {
			b.Fatal(r)
		}
	}
	runtime.KeepAlive(params)
}

// A prepared launch should cost no more than 1.2 times purego.SyscallN, which is
// 1.5 times a bare call by dl (whose tests hold that to 0.8 of SyscallN): the two
// atomic instructions that let Close wait for it are all it has to pay. Both are
// timed in turn, in short blocks, and the quickest block of each counts, the rest
// being other programs' noise; the bound leaves room for a clock's tick.
func TestEnqueueOverhead(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector slows Go code down, and C not")
	}
	lib := stub(t)
	f, err := lib.Lookup("cuLaunchKernel")
	require.NoError(t, err)
	value := new(uint32)
	params := []unsafe.Pointer{unsafe.Pointer(value)}
	words := [11]uintptr{48, 1, 1, 1, 1, 1, 1, 0, 64, uintptr(unsafe.Pointer(&params[0])), 0}
	l, s := stubLaunch(t, lib, driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}, params)
	block := func(call func()) time.Duration {
		start := time.Now()
		for range 500 {
			call()
		}
		return time.Since(start)
	}
	bare, ours := time.Hour, time.Hour
	ratio := 0.0
	for try := 0; try < 10; try++ {
		for range 200 {
			bare = min(bare, block(func() { f.CallSlice(words[:]) }))
			ours = min(ours, block(func() { _ = l.Enqueue(s) }))
		}
		if ratio = float64(ours) / float64(bare); ratio <= 1.5 {
			break
		}
	}
	t.Logf("bare %v, Enqueue %v a call: %.2f", bare/500, ours/500, ratio)
	require.LessOrEqual(t, ratio, 1.5)
}
