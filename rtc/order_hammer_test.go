package rtc_test

import (
	"context"
	"math/rand/v2"
	"os"
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
// lost, and no event either. PURECUDA_HAMMER is for how many seconds.
func TestOrderHammer(t *testing.T) {
	t.Run("simulated", func(t *testing.T) {
		dev := simulatedWith(t, sim.Config{})
		hammer(t, dev, 64)
		require.NoError(t, dev.Close())
	})
	t.Run("gpu", func(t *testing.T) { hammer(t, gpu(t), 1000) })
}

func hammer(t *testing.T, dev *rtc.Device, goroutines int) {
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
	seconds, _ := strconv.ParseFloat(os.Getenv("PURECUDA_HAMMER"), 64)
	if seconds == 0 {
		seconds = 0.5
	}
	end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
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
