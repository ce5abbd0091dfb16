//go:build linux && (amd64 || arm64)

package nvrtc

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/purecuda/purecuda/dl"
)

// What NVRTC changes: its C++ front end sets handlers with signal() and lifts
// RLIMIT_STACK with setrlimit().
var (
	takenSignals = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGXFSZ}
	takenCalls   = []dl.Redirect{
		{Symbol: "signal", Zero: []int{int(syscall.SIGINT), int(syscall.SIGTERM), int(syscall.SIGXFSZ)}}, // 0: SIG_DFL was there before
		{Symbol: "setrlimit", Zero: []int{syscall.RLIMIT_STACK}},
	}
	takenFilter = dl.Filter{Signals: takenSignals, Limits: []int{syscall.RLIMIT_STACK}}
)

// raiseShield puts the best shield in force that can be had. It must come
// before the first compile.
func (t *threads) raiseShield() {
	s := &t.shield
	for _, sig := range takenSignals {
		if a, err := dl.ReadSignalAction(sig); err == nil {
			s.before = append(s.before, a)
		}
	}
	err := redirect(t.api.table.Resolver())
	if err == nil {
		s.kind = ShieldImports
		return
	}
	s.kind, s.refused = ShieldRestore, err
	if t.onCaller { // that thread is not ours to filter
		t.warmUp()
		s.verify()
		return
	}
	thread, err := dl.NewThread(stackSize)
	if err != nil { // nor will there be one to compile on
		s.refused = errors.Join(s.refused, err)
		return
	}
	s.kind = ShieldFilter
	s.cover(thread)
	if s.kind == ShieldRestore {
		_ = thread.Do(t.warmUp)
		s.verify()
	}
	t.keep(thread)
}

// redirect is a variable for the tests, which must see the lesser shields too.
var redirect = func(r dl.Resolver) error {
	l, ok := r.(redirector)
	if !ok {
		return fmt.Errorf("nvrtc: shield: %s is not a library whose imports can be changed", r.Path())
	}
	return l.Redirect(takenCalls...)
}

// filter is one too.
var filter = dl.FilterThread

// cover filters a new thread, if filters are what is in force.
func (s *shield) cover(thread *dl.Thread) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kind != ShieldFilter {
		return
	}
	var err error
	_ = thread.Do(func() { err = filter(takenFilter) })
	if err != nil {
		s.kind, s.refused = ShieldRestore, errors.Join(s.refused, err)
	}
}

// warmUp is the first compile, as short as one can be. Its result is of no
// interest: NVRTC refuses the source.
func (t *threads) warmUp() {
	source, name, prog := []byte("#error\x00"), []byte("warmup\x00"), new(handle)
	if t.api.createProgram(prog, &source[0], &name[0], 0, nil, nil) != nil {
		return
	}
	_ = t.api.compileProgram(*prog, 0, nil)
	_ = t.api.destroyProgram(prog)
}

// verify looks at the handlers after a compile. What NVRTC does to them is
// give back the address without the flags, and only that is undone: all else is
// somebody's wish, as when the program called signal.Ignore meanwhile.
func (s *shield) verify() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, before := range s.before {
		now, err := dl.ReadSignalAction(before.Signal)
		const ignored = 1
		if err != nil || before.Handler <= ignored || now.Handler != before.Handler || now.Flags == before.Flags {
			continue
		}
		err = before.Restore()
		if s.kind != ShieldRestore {
			s.kind = ShieldRestore
			s.refused = errors.Join(s.refused, err, fmt.Errorf("nvrtc: shield: after a compile the handler of signal %d had lost its flags", int(before.Signal)))
		}
	}
}
