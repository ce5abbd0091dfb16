package graph_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/graph"
)

// layered are n tasks, each of which reads two arrays that were written shortly
// before and writes one, as the layers of a network do.
func layered(n int) []graph.Task {
	dice := rand.New(rand.NewPCG(1, 2))
	tasks := make([]graph.Task, n)
	for i := range tasks {
		recent := func() graph.Use { return graph.Use{Memory: max(0, i-1-dice.IntN(32))} }
		tasks[i] = graph.Task{Reads: []graph.Use{recent(), recent()}, Writes: uses(i), Cost: time.Duration(1 + dice.IntN(100))}
		if i%64 == 63 { // and some memory is used again
			tasks[i].Writes = uses(i - 63)
		}
	}
	return tasks
}

func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{1e3, 1e4, 1e5} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			tasks := layered(n)
			for b.Loop() {
				_, err := graph.NewPlan(tasks, graph.PlanConfig{})
				require.NoError(b, err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/node")
		})
	}
}

// TestPlanIsLinear: a hundred thousand nodes take under a second, which anything
// quadratic is far from.
func TestPlanIsLinear(t *testing.T) {
	tasks := make([]graph.Task, 1e5)
	for i := range tasks { // a list that is full of questions about races
		tasks[i].Unordered, tasks[i].Writes = true, uses(i%64)
		if i >= 64 {
			tasks[i].After = []int{i - 64}
		}
	}
	hub := append(layered(5e4), make([]graph.Task, 5e4)...)
	for i := 5e4; i < 1e5; i++ { // all read what one wrote, and one overwrites it
		hub[int(i)].Reads = uses(0)
	}
	hub = append(hub, graph.Task{Writes: uses(0)})
	chain := make([]graph.Task, 1e5)
	for i := range chain { // backwards, so that the order is to be found
		if i+1 < len(chain) {
			chain[i].After = []int{i + 1}
		}
	}
	for name, tasks := range map[string][]graph.Task{"layers": layered(1e5), "unordered": tasks, "hub": hub, "chain": chain} {
		took := time.Hour
		for range 3 { // the quickest: other tests may run beside it
			begin := time.Now()
			_, err := graph.NewPlan(tasks, graph.PlanConfig{})
			require.NoError(t, err)
			took = min(took, time.Since(begin))
		}
		t.Log(name, took)
		if !raceDetector && !testing.Short() {
			require.Less(t, took, time.Second, name)
		}
	}
}
