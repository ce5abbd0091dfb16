package dl

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// patience is how long tests wait for what a busy machine does late.
const patience = 2 * time.Minute

// threadsEnd waits until none of the threads is there any more. It goes by their numbers: Go makes threads of its own as it likes.
func threadsEnd(t *testing.T, ids []int) {
	t.Helper()
	for _, id := range ids {
		require.Eventually(t, func() bool {
			_, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", id))
			return err != nil
		}, patience, time.Millisecond, "thread %d of %v", id, ids)
	}
}

// statusKB reads a line of /proc/self/status, such as VmRSS, in KiB.
func statusKB(t *testing.T, key string) int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(b), key+":")
	require.True(t, ok, key)
	var kb int
	_, err = fmt.Sscan(rest, &kb)
	require.NoError(t, err)
	return kb
}

func TestThreadIsOneThread(t *testing.T) {
	th := newThread(t)
	var id int
	require.NoError(t, th.Do(func() { id = syscall.Gettid() }))
	for range 100 {
		require.NoError(t, th.Do(func() {
			runtime.Gosched()
			time.Sleep(10 * time.Microsecond)
			assert.Equal(t, id, syscall.Gettid())
		}))
		assert.NotEqual(t, id, syscall.Gettid())
	}
}

func TestThreadStackSize(t *testing.T) {
	get := symbolFunc(t, "pthread_getattr_np")
	size := symbolFunc(t, "pthread_attr_getstacksize")
	self := symbolFunc(t, "pthread_self")
	for _, mib := range []int{1, 64, 256, 1024} {
		th, err := NewThread(mib << 20)
		require.NoError(t, err)
		before := statusKB(t, "VmRSS")
		require.NoError(t, th.Do(func() {
			attr, bytes := new([32]uintptr), new(uintptr)
			assert.Zero(t, get.Call(self.Call(), uintptr(unsafe.Pointer(attr))))
			assert.Zero(t, size.Call(uintptr(unsafe.Pointer(attr)), uintptr(unsafe.Pointer(bytes))))
			// The C library may give it the larger stack of a thread that has ended.
			assert.GreaterOrEqual(t, *bytes, uintptr(mib<<20))
		}))
		assert.Less(t, statusKB(t, "VmRSS")-before, 32<<10, "only address space is taken")
		require.NoError(t, th.Close())
	}
	_, err := NewThread(1 << 47) // all that a process can address
	assert.ErrorContains(t, err, "dl: new thread with a stack of 134217728 MiB: pthread_")
}

func bytesAddr(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

func symbolFunc(t *testing.T, name string) *Func {
	t.Helper()
	addr, err := processSymbol(name)
	require.NoError(t, err)
	return &Func{Addr: addr}
}

// buildC makes a shared library of source, or skips where there is no C compiler.
func buildC(t *testing.T, source string, flags ...string) *Library {
	t.Helper()
	l, err := Open(buildCFile(t, source, flags...))
	require.NoError(t, err)
	return l
}

func buildCFile(t *testing.T, source string, flags ...string) string {
	t.Helper()
	cc := map[string]string{"amd64": "gcc", "arm64": "aarch64-linux-gnu-gcc"}[runtime.GOARCH]
	if _, err := exec.LookPath(cc); err != nil {
		if strings.Contains(","+os.Getenv("PURECUDA_REQUIRE")+",", ",gcc,") {
			t.Fatalf("%s is required: %v", cc, err)
		}
		t.Skipf("no %s", cc)
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.c"), []byte(source), 0o600))
	so := filepath.Join(dir, "libx.so")
	out, err := exec.Command(cc, append([]string{"-O1", "-shared", "-fPIC", "-o", so, filepath.Join(dir, "x.c")}, flags...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return so
}

// 160 MiB of C frames, on a thread that ends: the memory goes with it.
func TestThreadDeepC(t *testing.T) {
	lib := buildC(t, `
		#include <string.h>
		int deep(int n) {
			volatile char frame[1024];
			memset((char *)frame, n, sizeof frame);
			return n == 0 ? frame[0] : deep(n - 1) + (frame[n % 1024] == (char)n);
		}`, "-fno-optimize-sibling-calls")
	deepC, err := lib.Lookup("deep")
	require.NoError(t, err)
	const frames = 150_000
	debug.FreeOSMemory()
	before := statusKB(t, "VmRSS")
	for range 2 {
		th, err := NewThread(256 << 20)
		require.NoError(t, err)
		require.NoError(t, th.Do(func() {
			assert.EqualValues(t, frames, deepC.Call(frames))
		}))
		assert.Greater(t, statusKB(t, "VmRSS")-before, 120<<10)
		require.NoError(t, th.Close())
		require.Eventually(t, func() bool { return statusKB(t, "VmRSS")-before < 60<<10 }, patience, 5*time.Millisecond)
	}
}

// A process has 2,000 callbacks; threads and jobs beyond that number show that ours is the one.
func TestThreadsComeAndGo(t *testing.T) {
	if testing.Short() {
		t.Skip("2,100 threads")
	}
	var ids []int
	rss := 0
	for i := range 2100 {
		if i == 300 {
			threadsEnd(t, ids)
			ids = nil
			debug.FreeOSMemory()
			rss = statusKB(t, "VmRSS")
		}
		th, err := NewThread(16 << 20)
		require.NoError(t, err)
		id := 0
		for range 5 {
			require.NoError(t, th.Do(func() { deep(10); id = syscall.Gettid() }))
		}
		ids = append(ids, id)
		require.NoError(t, th.Close())
	}
	threadsEnd(t, ids)
	debug.FreeOSMemory()
	more := statusKB(t, "VmRSS") - rss
	t.Logf("%d KiB more after 1,800 threads more", more)
	bound := 16 << 10
	if withCgo { // the race detector keeps something for each
		bound = 64 << 10
	}
	assert.Less(t, more, bound)
}
