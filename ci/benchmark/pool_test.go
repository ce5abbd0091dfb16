//go:build !rtcalone

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPool(t *testing.T) {
	way := func(name string, p10, allocs float64) wayResult {
		return wayResult{Name: name, Time: figure{p10, 2 * p10, 10}, Alone: figure{p10 / 2, p10, 5}, Beyond: p10 / 2, Allocs: allocs}
	}
	one := launchResults{GPU: "g", Enqueue: []wayResult{way(inC, 100, -1), way(prepared, 102, 0)}, Wait: []wayResult{way(inC, 8, -1)}}
	two := launchResults{GPU: "g", Enqueue: []wayResult{way(inC, 110, -1), way(prepared, 118, 1)}, Wait: []wayResult{way(inC, 10, -1)}}
	all := pool([]launchResults{one, two})
	require.Equal(t, "g", all.GPU)
	require.Equal(t, figure{105, 210, 20}, all.Enqueue[0].Time)
	require.Equal(t, figure{110, 220, 20}, all.Enqueue[1].Time)
	require.Equal(t, figure{55, 110, 10}, all.Enqueue[1].Alone)
	require.Equal(t, 55.0, all.Enqueue[1].Beyond)
	require.Equal(t, 1.0, all.Enqueue[1].Allocs, "the worst")
	require.Equal(t, figure{9, 18, 20}, all.Wait[0].Time)
	require.Equal(t, figure{102, 204, 10}, one.Enqueue[1].Time, "what is pooled stays")
}

func TestPoolPython(t *testing.T) {
	some := func(f float64) pythonResult {
		return pythonResult{Name: "x", Enqueue: figure{f, 2 * f, 3}, Wait: figure{3 * f, 4 * f, 3}, Replay: figure{5 * f, 6 * f, 3}, ReplayWait: figure{7 * f, 8 * f, 3}}
	}
	require.Equal(t, pythonResult{Name: "x", Enqueue: figure{2, 4, 6}, Wait: figure{6, 8, 6}, Replay: figure{10, 12, 6}, ReplayWait: figure{14, 16, 6}},
		poolPython([]pythonResult{some(1), some(3)}))
}
