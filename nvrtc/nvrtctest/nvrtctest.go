package nvrtctest

import (
	"fmt"
	"slices"
	"sync"

	"github.com/purecuda/purecuda/dl"
)

// A Config says which NVRTC to play. The zero Config is 13.3, whose compiles
// succeed at once.
//
// Safe for concurrent use after it is made; its fields must not change.
type Config struct {
	Version dl.Version // zero: 13.3
	Path    string     // what it calls itself; empty: libnvrtc.so of the version
	Lacks   []string   // functions that it does not have although its version does
	Archs   []int      // what it supports, 90 for 9.0; nil: what its version does
	PCHHeap uint64     // bytes that a precompiled header needs; 0: 1 MiB

	// Compile decides how each compile ends, on the thread that NVRTC would
	// compile on. It may block. nil: Compile.Default.
	Compile func(*Compile)
}

// An NVRTC plays the library. It is a dl.Resolver.
//
// Safe for concurrent use.
type NVRTC struct {
	config Config

	mu        sync.Mutex
	last      uintptr
	programs  map[uintptr]*program
	texts     map[string][]byte // C strings that stay where they are
	compiles  []Compile
	running   int
	callbacks map[uintptr]int
	misuses   []string
	heap      uint64
	heaps     int // that there were
}

// A program is what an nvrtcProgram points to.
type program struct {
	Compile         // the source and what the last compile made of it
	compiled        bool
	busy            bool
	flow, payload   uintptr
	loweredPointers map[string]uintptr
}

// New makes an NVRTC.
func New(c Config) *NVRTC {
	if c.Version == (dl.Version{}) {
		c.Version = dl.Version{Major: 13, Minor: 3}
	}
	if c.Path == "" {
		c.Path = fmt.Sprintf("/nvrtctest/libnvrtc.so.%s", c.Version)
	}
	if c.Archs == nil {
		c.Archs = archsOf(c.Version)
	}
	if c.PCHHeap == 0 {
		c.PCHHeap = 1 << 20
	}
	return &NVRTC{
		config:    c,
		programs:  map[uintptr]*program{},
		texts:     map[string][]byte{},
		callbacks: map[uintptr]int{},
		heap:      256 << 20,
	}
}

// Path is the configured one.
func (n *NVRTC) Path() string { return n.config.Path }

// Lookup gives the functions that the version has.
func (n *NVRTC) Lookup(symbol string) (dl.Func, error) {
	f, ok := functions[symbol]
	v := n.config.Version
	if !ok || v.Compare(f.since) < 0 || f.gone != (dl.Version{}) && v.Compare(f.gone) >= 0 || slices.Contains(n.config.Lacks, symbol) {
		return dl.Func{}, &dl.SymbolError{Symbol: symbol, Path: n.config.Path}
	}
	return dl.Func{Go: func(args []uintptr) uintptr { return f.call(n, args) }}, nil
}

// Live is the number of programs that were made and not destroyed.
func (n *NVRTC) Live() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.programs)
}

// Running is the number of compiles that have begun and not ended.
func (n *NVRTC) Running() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.running
}

// Compiles are the compiles that have ended, in that order.
func (n *NVRTC) Compiles() []Compile {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.compiles)
}

// Callbacks is the number of different flow callbacks it was given.
func (n *NVRTC) Callbacks() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.callbacks)
}

// Misuses are calls that would have crashed the real library or made it return
// nonsense: a program used after it was destroyed, or destroyed while it was
// being compiled.
func (n *NVRTC) Misuses() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.misuses)
}

// TB is the part of testing.TB that Check needs.
//
// Not safe for concurrent use.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// Check fails the test when programs are still there, compiles still run, or
// something was misused.
func (n *NVRTC) Check(t TB) {
	t.Helper()
	if live := n.Live(); live != 0 {
		t.Errorf("nvrtctest: %d programs were not closed", live)
	}
	if running := n.Running(); running != 0 {
		t.Errorf("nvrtctest: %d compiles still run", running)
	}
	for _, m := range n.Misuses() {
		t.Errorf("nvrtctest: %s", m)
	}
}
