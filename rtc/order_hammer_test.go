package rtc_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
)

// TestOrderHammer: many goroutines on many streams add to a few arrays, read them, and come and go with arrays of their own. No addition is
// lost, and no event either.
func TestOrderHammer(t *testing.T) {
	t.Run("simulated", func(t *testing.T) {
		dev := simulatedWith(t, sim.Config{})
		hammer(t, dev, 64, time.Now().Add(time.Second/2))
		require.NoError(t, dev.Close())
	})
	t.Run("gpu", func(t *testing.T) { hammer(t, gpu(t), 1000, time.Now().Add(time.Second/2)) })
}

// TestSoakOrder is TestOrderHammer for ci/soak: a thousand goroutines for a minute, or PURECUDA_HAMMER seconds, after which memory, threads and
// events are what they were after the first tenth.
func TestSoakOrder(t *testing.T) {
	if os.Getenv("PURECUDA_SOAK") == "" {
		t.Skip("for ci/soak: PURECUDA_SOAK=10000")
	}
	span := time.Minute
	if s := os.Getenv("PURECUDA_HAMMER"); s != "" {
		seconds, err := strconv.ParseFloat(s, 64)
		require.NoError(t, err)
		span = time.Duration(seconds * float64(time.Second))
	}
	t.Run("simulated", func(t *testing.T) {
		dev := simulatedWith(t, sim.Config{})
		soak(t, dev, span)
		require.NoError(t, dev.Close())
	})
	t.Run("gpu", func(t *testing.T) { soak(t, gpu(t), span) })
}

func soak(t *testing.T, dev *rtc.Device, span time.Duration) {
	start, stop, watched := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		early, events := 0, 0
		for i := range 10 {
			select {
			case <-time.After(time.Until(start.Add(time.Duration(i+1) * span / 10))):
			case <-stop:
				t.Error("it ended before its time")
				return
			}
			runtime.GC()
			rss, now := residentKiB(t), dev.Driver().Counts().Events
			if i == 0 {
				early, events = rss, now
			}
			fmt.Printf("soak: order: %5.1f s: RSS %d KiB, %d threads, %d goroutines, %d events\n",
				time.Since(start).Seconds(), rss, pprof.Lookup("threadcreate").Count(), runtime.NumGoroutine(), now)
			if race { // which has memory of its own for what is touched first, and is long about it
				continue
			}
			assert.LessOrEqual(t, rss-early, 32<<10, "KiB more than after the first tenth")
			assert.LessOrEqual(t, now-events, 1000, "events more than then")
		}
	}()
	hammer(t, dev, 1000, start.Add(span+time.Second))
	close(stop)
	<-watched
}

func hammer(t *testing.T, dev *rtc.Device, goroutines int, end time.Time) {
	add, err := compile(t, `extern "C" __global__ void add(const unsigned *a, unsigned *b, unsigned k) { b[threadIdx.x] += a[threadIdx.x] + k; }`,
		rtc.ModuleConfig{Options: []string{"-arch=compute_75"}}).Kernel("add", "const unsigned *a, unsigned *b, unsigned k")
	require.NoError(t, err)
	streams := []*rtc.Stream{dev.Stream()}
	for range 15 {
		s, err := dev.NewStream(rtc.StreamConfig{})
		require.NoError(t, err)
		streams = append(streams, s)
	}
	zero, err := rtc.Zeros[uint32](dev, width)
	require.NoError(t, err)
	arrays, sums := make([]*rtc.Array, 8), make([]atomic.Uint32, 8)
	for i := range arrays {
		arrays[i], err = rtc.Zeros[uint32](dev, width)
		require.NoError(t, err)
	}
	var all sync.WaitGroup
	var launches atomic.Int64
	for g := range goroutines {
		all.Go(func() {
			dice := rand.New(rand.NewPCG(uint64(g), 3))
			for n := 0; n < 20 || time.Now().Before(end); n++ {
				i, k, s := dice.IntN(len(arrays)), dice.Uint32(), streams[dice.IntN(len(streams))]
				switch dice.IntN(40) {
				case 0:
					_, err := rtc.ToSlice[uint32](arrays[i])
					assert.NoError(t, err)
				case 1:
					mine, err := rtc.Full[uint32](dev, k, width)
					if assert.NoError(t, err) {
						assert.NoError(t, add.Enqueue(s, rtc.Dim(1), rtc.Dim(width), 0, mine, arrays[i], 1))
						sums[i].Add(k + 1)
						assert.NoError(t, mine.Close())
					}
				case 2:
					assert.NoError(t, s.Synchronize(context.Background()))
				case 3:
					assert.NoError(t, add.Launch(dev, rtc.Dim(1), rtc.Dim(width), 0, zero, arrays[i], k))
					sums[i].Add(k)
				default:
					assert.NoError(t, add.Enqueue(s, rtc.Dim(1), rtc.Dim(width), 0, zero, arrays[i], k))
					sums[i].Add(k)
					launches.Add(1)
				}
			}
		})
	}
	all.Wait()
	for i := range arrays {
		out, err := rtc.ToSlice[uint32](arrays[i])
		require.NoError(t, err)
		require.Equal(t, sums[i].Load(), out[0])
		require.NoError(t, arrays[i].Close())
	}
	require.NoError(t, zero.Close())
	for _, s := range streams[1:] {
		require.NoError(t, s.Close())
	}
	t.Logf("%d launches enqueued, %d events in the end", launches.Load(), dev.Driver().Counts().Events)
	require.Less(t, dev.Driver().Counts().Events, 2*ringLength+goroutines, "of the device's own stream and of that for copies")
}

const ringLength = 256
