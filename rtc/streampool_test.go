package rtc_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc"
)

// TestGo: eight streams at most, each with one who has it, and all come back, whatever became of them.
func TestGo(t *testing.T) {
	dev := simulated(t)
	var mu sync.Mutex
	seen, lent := map[*rtc.Stream]bool{}, map[*rtc.Stream]bool{}
	var all sync.WaitGroup
	var in atomic.Int32
	full := make(chan struct{})
	for range 40 {
		all.Go(func() {
			assert.NoError(t, dev.Go(func(s *rtc.Stream) error {
				mu.Lock()
				assert.False(t, lent[s])
				seen[s], lent[s] = true, true
				mu.Unlock()
				if in.Add(1) == 8 {
					close(full)
				}
				<-full // so that eight have one at once
				mu.Lock()
				lent[s] = false
				mu.Unlock()
				return s.Synchronize(context.Background())
			}))
		})
	}
	all.Wait()
	require.Len(t, seen, 8)

	for range 20 {
		require.PanicsWithValue(t, "mine", func() { _ = dev.Go(func(*rtc.Stream) error { panic("mine") }) })
		require.NoError(t, dev.Go(func(s *rtc.Stream) error { return s.Close() }))
	}
	require.NoError(t, dev.Go(func(s *rtc.Stream) error { return s.Synchronize(context.Background()) }))
	require.ErrorContains(t, dev.Go(nil), "rtc: go: the function is nil")
	require.NoError(t, dev.Close())
	require.ErrorIs(t, dev.Go(func(*rtc.Stream) error { return nil }), rtc.ErrClosed)
}
