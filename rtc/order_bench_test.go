package rtc_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// another is a second stream, which has all work tracked.
func (b *bench) another(t testing.TB) *rtc.Stream {
	t.Helper()
	s, err := b.dev.NewStream(rtc.StreamConfig{})
	require.NoError(t, err)
	return s
}

// inTurn is a call that enqueues launches on streams in turn.
func inTurn(p *rtc.Prepared, streams ...*rtc.Stream) func() error {
	i := 0
	return func() error {
		i = (i + 1) % len(streams)
		return p.Enqueue(streams[i])
	}
}

// Tracking allocates nothing, once each stream has the events that it keeps: nor
// on one stream of two, nor where each launch waits for the one before it.
func TestTrackedAllocatesNothing(t *testing.T) {
	if race {
		t.Skip("the race detector allocates")
	}
	b := newBench(t)
	p, other := b.prepare(t), b.another(t)
	reads, err := b.kernel.Prepare(b.dev, benchGrid, benchBlock, 0, b.y, nil, float32(3), 1000) // of what p writes
	require.NoError(t, err)
	mixed := []func() error{inTurn(p, b.stream, other), inTurn(reads, other, b.stream)}
	turn := 0
	for name, call := range map[string]func() error{
		"one of two streams": inTurn(p, b.stream),
		"two in turn":        inTurn(p, b.stream, other),
		"readers":            inTurn(reads, b.stream, other),
		"readers, writers": func() error {
			turn++
			return mixed[turn/3%2]()
		},
		"Launch": p.Launch,
	} {
		t.Run(name, func(t *testing.T) {
			for range 1000 { // more than there are events
				require.NoError(t, call())
			}
			allocatesNothing(t, call)
		})
	}
}

// TestTrackingCostsLittle: that launches order themselves costs at most 100 ns
// each where all go to one of several streams, over what they cost on a device
// that has one.
func TestTrackingCostsLittle(t *testing.T) {
	if race || testing.Short() {
		t.Skip("takes the time")
	}
	plain, tracked := newBench(t), newBench(t)
	tracked.another(t)
	free, err := tracked.kernel.With(rtc.LaunchOptions{Unordered: true}).Prepare(tracked.dev, benchGrid, benchBlock, 0, tracked.x, tracked.y, float32(3), 1000)
	require.NoError(t, err)
	ways := []struct {
		name string
		call func() error
		best time.Duration // of a block
	}{
		{"one stream", inTurn(plain.prepare(t), plain.stream), time.Hour},
		{"one of two", inTurn(tracked.prepare(t), tracked.stream), time.Hour},
		{"one of two, unordered", inTurn(free, tracked.stream), time.Hour},
	}
	const block = 500
	for range 400 {
		for i := range ways {
			begin := time.Now()
			for range block {
				if err := ways[i].call(); err != nil {
					require.NoError(t, err)
				}
			}
			ways[i].best = min(ways[i].best, time.Since(begin))
		}
	}
	for _, w := range ways {
		t.Logf("%s: %d ns a launch", w.name, w.best.Nanoseconds()/block)
		require.LessOrEqual(t, (w.best - ways[0].best).Nanoseconds(), int64(100*block), w.name)
	}
}

// What it costs that launches order themselves: nothing on a device's only
// stream; an event behind each where there are several; and a wait where a launch
// depends on another stream's. The driver's are the same calls, made by hand.
func BenchmarkOrder(b *testing.B) {
	s := newBench(b)
	p, raw := s.prepare(b), s.launch(b)
	b.Run("one stream", func(b *testing.B) { run(b, inTurn(p, s.stream)) })
	other := s.another(b)
	b.Run("one of two", func(b *testing.B) { run(b, inTurn(p, s.stream)) })
	b.Run("two in turn", func(b *testing.B) { run(b, inTurn(p, s.stream, other)) })

	event, err := s.dev.Context().NewEvent(driver.EventConfig{})
	require.NoError(b, err)
	defer event.Close()
	streams := [2]*driver.Stream{s.stream.Raw(), other.Raw()}
	b.Run("driver, launch", func(b *testing.B) { run(b, func() error { return raw.Enqueue(streams[0]) }) })
	b.Run("driver, launch and record", func(b *testing.B) { run(b, func() error { return raw.EnqueueEvent(streams[0], event) }) })
	turn := 0
	b.Run("driver, launch, record and wait", func(b *testing.B) {
		run(b, func() error {
			turn ^= 1
			if err := raw.EnqueueEvent(streams[turn], event); err != nil {
				return err
			}
			return streams[turn^1].Wait(event)
		})
	})
}
