package compile

import (
	"container/heap"
	"context"
	"sync"
)

// turns lets so many run at a time; the others wait, those of higher priority
// before others, and else in the order in which they came.
type turns struct {
	mu      sync.Mutex
	free    int
	came    uint64
	waiting turnHeap
}

// A turn is somebody's place among those that wait.
type turn struct {
	priority int
	number   uint64
	at       int           // in the heap; -1: not in it
	ready    chan struct{} // closed when it is its turn
}

// enter gives n its place, or its turn if one is free. Then await must follow.
func (t *turns) enter(n *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n.ready = make(chan struct{})
	if t.free > 0 {
		t.free--
		close(n.ready)
		return
	}
	t.came++
	n.number = t.came
	heap.Push(&t.waiting, n)
}

// await waits for n's turn, which give ends. After an error, which is ctx's, it has
// none.
func (t *turns) await(ctx context.Context, n *turn) error {
	select {
	case <-n.ready:
		if ctx.Err() == nil {
			return nil
		}
	case <-ctx.Done():
	}
	t.mu.Lock()
	waits := n.at >= 0
	if waits {
		heap.Remove(&t.waiting, n.at)
	}
	t.mu.Unlock()
	if !waits { // it was given the turn meanwhile
		t.give()
	}
	return ended(ctx)
}

// give ends a turn.
func (t *turns) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 {
		t.free++
		return
	}
	close(heap.Pop(&t.waiting).(*turn).ready)
}

// raise gives n a higher priority, also while it waits.
func (t *turns) raise(n *turn, priority int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if priority <= n.priority {
		return
	}
	n.priority = priority
	if n.at >= 0 {
		heap.Fix(&t.waiting, n.at)
	}
}

func newTurn(priority int) *turn { return &turn{priority: priority, at: -1} }

// A turnHeap has whose turn comes next at its top.
type turnHeap []*turn

func (h turnHeap) Len() int { return len(h) }

func (h turnHeap) Less(i, j int) bool {
	if h[i].priority != h[j].priority {
		return h[i].priority > h[j].priority
	}
	return h[i].number < h[j].number
}

func (h turnHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = i, j
}

// Push is heap.Interface's.
func (h *turnHeap) Push(x any) {
	n := x.(*turn)
	n.at = len(*h)
	*h = append(*h, n)
}

// Pop is heap.Interface's.
func (h *turnHeap) Pop() any {
	old := *h
	n := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	n.at = -1
	return n
}
