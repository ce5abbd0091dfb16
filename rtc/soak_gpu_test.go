package rtc_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc"
)

// TestSoak is for ci/soak: modules that are compiled, loaded, launched and
// closed by the thousand leave memory and handles as they were.
func TestSoak(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv("PURECUDA_SOAK"))
	if err != nil || rounds < 100 {
		t.Skip("for ci/soak: PURECUDA_SOAK=10000")
	}
	dev := gpu(t)
	x := array(t, dev, make([]float32, 32)...)
	before := dev.Driver().Counts()
	early, earlyFree := 0, uint64(0)
	start := time.Now()
	for i := range rounds {
		options := []string{}
		if i%2 == 0 { // half from PTX, through the driver's compiler
			options = append(options, "-arch=compute_80")
		}
		mod, err := rtc.NewModule(fmt.Sprintf("extern \"C\" __global__ void add(float *x) { x[threadIdx.x] += %d; }", i%1000), rtc.ModuleConfig{Options: options})
		require.NoError(t, err)
		add, err := mod.Kernel("add", "float *x")
		require.NoError(t, err)
		require.NoError(t, add.Launch(dev, rtc.Dim(1), rtc.Dim(32), 0, x))
		require.NoError(t, mod.Close())
		if (i+1)%(rounds/10) == 0 {
			runtime.GC()
			rss := residentKiB(t)
			free, _, err := dev.Context().MemInfo()
			require.NoError(t, err)
			if early == 0 {
				early, earlyFree = rss, free
			}
			fmt.Printf("soak: modules: %6d in %6.1f s: RSS %d KiB, %d MiB free on the GPU, %+v\n", i+1, time.Since(start).Seconds(), rss, free>>20, dev.Driver().Counts())
			assert.LessOrEqual(t, rss-early, 32<<10, "KiB more than after the first tenth")
			assert.LessOrEqual(t, int64(earlyFree)-int64(free), int64(16<<20), "bytes of the GPU's memory")
		}
	}
	after := dev.Driver().Counts()
	after.Events = before.Events // these are kept for reuse
	assert.Equal(t, before, after)
	want := float32(0)
	for i := range rounds {
		want += float32(i % 1000)
	}
	assert.InEpsilon(t, want, slice[float32](t, x)[0], 1e-3)
}

func residentKiB(t *testing.T) int {
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	for _, line := range strings.Split(string(status), "\n") {
		if value, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(value, "kB")))
			require.NoError(t, err)
			return kib
		}
	}
	t.Fatal("no VmRSS")
	return 0
}
