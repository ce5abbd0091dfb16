package graph_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/graph"
)

func plan(t testing.TB, c graph.PlanConfig, tasks ...graph.Task) *graph.Plan {
	t.Helper()
	p, err := graph.NewPlan(tasks, c)
	require.NoError(t, err)
	return p
}

func uses(memories ...int) []graph.Use {
	var all []graph.Use
	for _, m := range memories {
		all = append(all, graph.Use{Memory: m})
	}
	return all
}

// article is A→B→C, A→D.
var article = []graph.Task{
	{Name: "A", Writes: uses(0)},
	{Name: "B", Reads: uses(0), Writes: uses(1)},
	{Name: "C", Reads: uses(1), Writes: uses(2)},
	{Name: "D", Reads: uses(0), Writes: uses(3)},
}

func TestPlan(t *testing.T) {
	p := plan(t, graph.PlanConfig{}, article...)
	assert.Equal(t, []int{0, 1, 2, 3}, p.Order)
	assert.Equal(t, []graph.Lane{{Tasks: []int{0, 1, 2}}, {Tasks: []int{3}}}, p.Streams)
	assert.Equal(t, []graph.Wait{{From: 0, To: 3}}, p.Waits)
	assert.Equal(t, 1, p.Events())
	assert.Equal(t, []int{0, 1, 2}, p.Critical)
	assert.Equal(t, []graph.Edge{{0, 1, graph.ReadAfterWrite, 0}, {1, 2, graph.ReadAfterWrite, 1}, {0, 3, graph.ReadAfterWrite, 0}}, p.Edges)
}

// TestMeasuredPath: what each costs decides which way is the critical one, and
// that goes on in one stream.
func TestMeasuredPath(t *testing.T) {
	tasks := slices.Clone(article)
	for i, ms := range []int{1, 1, 1, 5} {
		tasks[i].Cost = time.Duration(ms) * time.Millisecond
	}
	p := plan(t, graph.PlanConfig{}, tasks...)
	assert.Equal(t, []int{0, 3}, p.Critical)
	assert.Equal(t, 6*time.Millisecond, p.Length)
	assert.Equal(t, 6*time.Millisecond, p.Total)
	assert.Equal(t, p.Stream[0], p.Stream[3])
	assert.Equal(t, []graph.Wait{{From: 0, To: 1}}, p.Waits)

	one := plan(t, graph.PlanConfig{Streams: 1}, tasks...)
	assert.Empty(t, one.Waits)
	assert.Equal(t, 8*time.Millisecond, one.Total)
}

// TestOneEventForMany: one event serves all that wait for the same task, and
// what is known by way of another needs none.
func TestOneEventForMany(t *testing.T) {
	p := plan(t, graph.PlanConfig{},
		graph.Task{Writes: uses(0)},
		graph.Task{Reads: uses(0), Writes: uses(1)},
		graph.Task{Reads: uses(0), Writes: uses(2)},
		graph.Task{Reads: uses(0), Writes: uses(3)},
		graph.Task{Reads: uses(0, 1, 2, 3)},
	)
	assert.Len(t, p.Streams, 3)
	assert.Equal(t, []graph.Wait{{0, 2}, {0, 3}, {3, 4}, {2, 4}}, p.Waits)
	assert.Equal(t, 3, p.Events())
}

func TestOwners(t *testing.T) {
	p := plan(t, graph.PlanConfig{Streams: 1, PerOwner: true},
		graph.Task{Owner: "blur", Writes: uses(0)},
		graph.Task{Owner: "edges", Writes: uses(1)},
		graph.Task{Reads: uses(0, 1), Writes: uses(2)},
		graph.Task{Owner: "blur", Writes: uses(3)},
		graph.Task{Writes: uses(4)},
	)
	assert.Equal(t, []graph.Lane{{Owner: "blur", Tasks: []int{0, 3}}, {Owner: "edges", Tasks: []int{1}}, {Owner: "", Tasks: []int{2, 4}}}, p.Streams)
}

func TestCycle(t *testing.T) {
	tasks := slices.Clone(article)
	tasks[0].After = []int{2}
	_, err := graph.NewPlan(tasks, graph.PlanConfig{Memories: []string{"x", "y"}})
	require.EqualError(t, err, "graph: plan: a cycle: A → B (read after write: x) → C (read after write: y) → A (after)")
	var cycle *graph.CycleError
	require.ErrorAs(t, err, &cycle)
	assert.Equal(t, []string{"A", "B", "C"}, cycle.Names)

	_, err = graph.NewPlan([]graph.Task{{Name: "A", After: []int{0}}}, graph.PlanConfig{})
	require.EqualError(t, err, "graph: plan: a cycle: A → A (after)")
}

func TestRefused(t *testing.T) {
	for text, tasks := range map[string][]graph.Task{
		"graph: plan: A: it comes after task 7, of 1":                             {{Name: "A", After: []int{7}}},
		"graph: plan: task 1: it uses bytes 9 to 3 of memory 0, which are none":   {{}, {Writes: []graph.Use{{0, 9, 3}}}},
		"graph: plan: task 1: it is on device -1":                                 {{}, {Device: -1}},
		"graph: plan: task 0: it uses bytes -4 to -1 of memory 0, which are none": {{Writes: []graph.Use{{0, -4, -1}}}},
		"graph: plan: A: it costs -4ns; 0 is for what is not known":               {{Name: "A", Cost: -4}},
		"graph: plan: A: it uses memory -4; they are numbered from 0":             {{Name: "A", Reads: uses(-4)}},
		"graph: plan: B: it costs 2562047h47m16.854775807s, and it and those before it more than a time.Duration holds, which is 292 years": {
			{Name: "A", Cost: math.MaxInt64}, {Name: "B", Cost: math.MaxInt64}},
		"graph: plan: A and B both write memory 0, and nothing orders them: give one After the other": {
			{Name: "A", Writes: uses(0)}, {Name: "B", Writes: uses(0), Unordered: true}},
	} {
		_, err := graph.NewPlan(tasks, graph.PlanConfig{})
		assert.EqualError(t, err, text)
	}
	_, err := graph.NewPlan(nil, graph.PlanConfig{Streams: -1})
	assert.EqualError(t, err, "graph: plan: the number of Streams is -1; 0 asks for 8")
	assert.Empty(t, plan(t, graph.PlanConfig{}).Order)
	assert.Equal(t, time.Duration(math.MaxInt64), plan(t, graph.PlanConfig{}, graph.Task{Cost: math.MaxInt64}).Total)
}

// TestNoPlan: nil and the zero Plan are plans of no tasks.
func TestNoPlan(t *testing.T) {
	empty := plan(t, graph.PlanConfig{})
	for _, p := range []*graph.Plan{nil, {}} {
		assert.Zero(t, p.Events())
		assert.Empty(t, p.Before(0))
		assert.Equal(t, empty.DOT(), p.DOT())
		assert.Equal(t, empty.Mermaid(), p.Mermaid())
		assert.Equal(t, empty.SVG(), p.SVG())
	}
	one := plan(t, graph.PlanConfig{}, graph.Task{})
	assert.Empty(t, one.Before(-1))
	assert.Empty(t, one.Before(1))
}

// TestUnordered: what After orders is no race, nor are bytes apart; and a stream
// that happens to be shared orders nothing.
func TestUnordered(t *testing.T) {
	halves := func(from, to int) []graph.Use { return []graph.Use{{0, from, to}} }
	plan(t, graph.PlanConfig{},
		graph.Task{Writes: halves(0, 8)},
		graph.Task{Writes: halves(8, 16), Unordered: true},
		graph.Task{Writes: halves(0, 4), Unordered: true, After: []int{0}},
		graph.Task{Writes: halves(4, 8), Unordered: true, After: []int{0}},
		graph.Task{Writes: uses(0), After: []int{1, 2, 3}},
	)
	_, err := graph.NewPlan([]graph.Task{
		{Writes: halves(0, 8)},
		{Writes: halves(7, 16), Unordered: true},
	}, graph.PlanConfig{Streams: 1})
	var race *graph.RaceError
	require.ErrorAs(t, err, &race)
	assert.Equal(t, graph.RaceError{"task 0", "task 1", "memory 0"}, *race)
}

// TestRacesAgainstOracle finds a race exactly where comparing all with all does.
func TestRacesAgainstOracle(t *testing.T) {
	found := 0
	for seed := range uint64(3000) {
		dice := rand.New(rand.NewPCG(seed, 1))
		tasks := make([]graph.Task, 2+dice.IntN(8))
		ask := make(relation, len(tasks))
		for i := range tasks {
			tasks[i].Unordered = dice.IntN(4) > 0
			from := dice.IntN(6)
			tasks[i].Writes = []graph.Use{{0, from, from + 1 + dice.IntN(4)}}
			for j := range i {
				if dice.IntN(3) > 0 {
					tasks[i].After = append(tasks[i].After, j)
					ask[i] |= 1 << j
				}
				if !tasks[i].Unordered && !tasks[j].Unordered {
					ask[i] |= 1 << j
				}
			}
		}
		order, race := ask.closed(), false
		for i, t := range tasks {
			for j, u := range tasks[:i] {
				meet := t.Writes[0].From < u.Writes[0].To && u.Writes[0].From < t.Writes[0].To
				race = race || meet && !order.has(j, i)
			}
		}
		_, err := graph.NewPlan(tasks, graph.PlanConfig{Streams: 2})
		require.Equal(t, race, errors.As(err, new(*graph.RaceError)), "seed %d: %v", seed, err)
		if race {
			found++
		}
	}
	require.Greater(t, found, 300)
	require.Less(t, found, 2700)
}

// TestPlansRespectEdges holds random plans against an oracle that compares all
// tasks with all: nothing is lost, and nothing that may overlap waits by an event.
func TestPlansRespectEdges(t *testing.T) {
	cycles := 0
	for seed := range uint64(4000) {
		dice := rand.New(rand.NewPCG(seed, 2))
		tasks := randomTasks(dice, 1+dice.IntN(24), seed%2 == 0)
		c := graph.PlanConfig{Streams: 1 + dice.IntN(5), PerOwner: dice.IntN(2) == 0}
		want := needed(tasks).closed()
		p, err := graph.NewPlan(tasks, c)
		if want.cyclic() {
			require.ErrorAs(t, err, new(*graph.CycleError), "seed %d", seed)
			cycles++
			continue
		}
		require.NoError(t, err, "seed %d", seed)
		check(t, p, want)
		type kind struct {
			owner  string
			device int
		}
		streams := map[kind]int{}
		for s, lane := range p.Streams {
			streams[kind{lane.Owner, lane.Device}]++
			for _, task := range lane.Tasks {
				require.Equal(t, s, p.Stream[task])
				require.Equal(t, tasks[task].Device, lane.Device)
				if c.PerOwner {
					require.Equal(t, tasks[task].Owner, lane.Owner)
				}
			}
		}
		for k, n := range streams {
			require.True(t, n == 1 || k.owner == "" && n <= c.Streams, "%d streams of %v", n, k)
		}
	}
	require.Greater(t, cycles, 100)
}

// check holds a plan against what its tasks need.
func check(t *testing.T, p *graph.Plan, want relation) {
	t.Helper()
	edges := make(relation, len(p.Tasks))
	for _, e := range p.Edges {
		require.False(t, edges.has(e.From, e.To), "an edge twice")
		edges[e.To] |= 1 << e.From
	}
	require.Equal(t, want, edges.closed())
	seen := uint32(0)
	for _, task := range p.Order {
		require.Zero(t, want[task]&^seen, "in the order %d comes too early", task)
		seen |= 1 << task
	}
	require.Equal(t, len(p.Tasks), len(p.Order))
	got := ordered(p, p.Waits)
	for i := range want {
		require.Zero(t, want[i]&^got[i], "%d may overtake what it needs", i)
	}
	both := lanes(p)
	for i := range both {
		both[i] |= want[i]
	}
	require.Equal(t, both.closed(), got, "a wait that nothing asks for")
	var path time.Duration
	for i, task := range p.Critical {
		path += max(1, p.Tasks[task].Cost)
		require.True(t, i == 0 || edges.has(p.Critical[i-1], task))
	}
	require.Equal(t, p.Length, path)
	for i := range want { // no path is longer: each task can begin when the longest to it ends
		for j := range want {
			require.True(t, !want.has(j, i) || p.Start[i] >= p.End[j])
		}
	}
	require.LessOrEqual(t, p.Length, p.Total)
}

// TestFewestWaits tries all sets of waits between the streams: none that is
// smaller, and none with fewer events, keeps what is needed without making
// something wait that need not.
func TestFewestWaits(t *testing.T) {
	tried := 0
	for seed := uint64(0); tried < 400; seed++ {
		dice := rand.New(rand.NewPCG(seed, 3))
		tasks := randomTasks(dice, 3+dice.IntN(5), false)
		p := plan(t, graph.PlanConfig{Streams: 2 + dice.IntN(2)}, tasks...)
		full := ordered(p, p.Waits)
		var may []graph.Wait
		for to := range tasks {
			for from := range tasks {
				if full.has(from, to) && p.Stream[from] != p.Stream[to] {
					may = append(may, graph.Wait{From: from, To: to})
				}
			}
		}
		if len(may) > 11 || len(p.Waits) < 2 {
			continue
		}
		tried++
		for set := range 1 << len(may) {
			var waits []graph.Wait
			events := map[int]bool{}
			for i, w := range may {
				if set&(1<<i) != 0 {
					waits = append(waits, w)
					events[w.From] = true
				}
			}
			if len(waits) >= len(p.Waits) && len(events) >= p.Events() {
				continue
			}
			require.Less(t, ordered(p, waits).count(), full.count(), "seed %d: %v do what %v do", seed, waits, p.Waits)
		}
	}
}

// TestLongestPath compares the critical path with all paths.
func TestLongestPath(t *testing.T) {
	for seed := range uint64(500) {
		dice := rand.New(rand.NewPCG(seed, 4))
		p := plan(t, graph.PlanConfig{}, randomTasks(dice, 1+dice.IntN(12), false)...)
		var longest func(task int) time.Duration
		longest = func(task int) time.Duration {
			before := time.Duration(0)
			for _, e := range p.Before(task) {
				before = max(before, longest(e.From))
			}
			return before + max(1, p.Tasks[task].Cost)
		}
		most := time.Duration(0)
		for task := range p.Tasks {
			most = max(most, longest(task))
		}
		require.Equal(t, most, p.Length, fmt.Sprint(seed))
	}
}
