//go:build linux && (amd64 || arm64)

package dl

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// run is what the kernel does with a filter: seccomp_data by its offsets.
func run(t *testing.T, program []sockFilter, nr, arch uint32, caller uint64, args ...uint64) uint32 {
	t.Helper()
	word := map[uint32]uint32{dataNumber: nr, dataArch: arch, dataCaller: uint32(caller), dataCaller + high: uint32(caller >> 32)}
	for i := range 6 {
		var v uint64
		if i < len(args) {
			v = args[i]
		}
		word[dataArg+8*uint32(i)], word[dataArg+8*uint32(i)+high] = uint32(v), uint32(v>>32)
	}
	var a uint32
	for pc := 0; ; pc++ {
		require.Less(t, pc, len(program))
		in := program[pc]
		taken := false
		switch in.code {
		case bpfLoad:
			v, ok := word[in.k]
			require.True(t, ok, "load from %d", in.k)
			a = v
			continue
		case bpfReturn:
			return in.k
		case bpfIfEqual:
			taken = a == in.k
		case bpfIfAtLeast:
			taken = a >= in.k
		case bpfIfMore:
			taken = a > in.k
		default:
			t.Fatalf("instruction %#x", in.code)
		}
		if taken {
			pc += int(in.yes)
		} else {
			pc += int(in.no)
		}
	}
}

func TestFilterProgram(t *testing.T) {
	const start, end = 0x7f12_0040_1000, 0x7f12_0090_0000
	const sigaction, setrlimit = syscall.SYS_RT_SIGACTION, syscall.SYS_SETRLIMIT
	program, err := Filter{Signals: []syscall.Signal{2, 15, 25}, Limits: []int{3}}.program(mapping{start: start, end: end})
	require.NoError(t, err)
	const c = start - 1 // a caller that is not Go
	for _, test := range []struct {
		nr     uint32
		caller uint64
		args   []uint64
		gone   bool
	}{
		{sigaction, c, []uint64{2, 0x1000, 0}, true},
		{sigaction, c, []uint64{15, 1 << 40, 0}, true}, // a pointer whose low half is 0
		{sigaction, c, []uint64{25, 0x1000, 0x1000}, true},
		{sigaction, c, []uint64{2, 0, 0x1000}, false}, // asks only
		{sigaction, c, []uint64{11, 0x1000, 0}, false},
		{sigaction, start, []uint64{2, 0x1000, 0}, false},
		{sigaction, end - 1, []uint64{2, 0x1000, 0}, false},
		{sigaction, end, []uint64{2, 0x1000, 0}, true},
		{sigaction, start + 1<<32, []uint64{2, 0x1000, 0}, true},
		{sigaction, start - 1<<32, []uint64{2, 0x1000, 0}, true},
		{sysPrlimit64, c, []uint64{0, 3, 0x1000, 0}, true},
		{sysPrlimit64, c, []uint64{0, 3, 0, 0x1000}, false},
		{sysPrlimit64, c, []uint64{3, 7, 0x1000, 0}, false},
		{sysPrlimit64, start, []uint64{0, 3, 0x1000, 0}, false},
		{setrlimit, c, []uint64{3, 0x1000}, true},
		{setrlimit, c, []uint64{7, 0x1000}, false},
		{setrlimit, start, []uint64{3, 0x1000}, false},
		{syscall.SYS_WRITE, c, []uint64{2, 0x1000, 15}, false},
	} {
		want := uint32(retAllow)
		if test.gone {
			want = retErrno
		}
		name := fmt.Sprintf("%+v", test)
		assert.Equal(t, want, run(t, program, test.nr, auditArch, test.caller, test.args...), name)
		assert.EqualValues(t, retAllow, run(t, program, test.nr, 0x40000003, test.caller, test.args...), "another architecture: "+name)
	}
	for _, text := range []mapping{{}, {start: 0xffff_f000, end: 0x1_0000_1000}} {
		_, err := Filter{}.program(text)
		assert.ErrorContains(t, err, "the code of Go")
	}
	program, err = Filter{Signals: []syscall.Signal{2}}.program(mapping{start: 0x1000, end: 1 << 32}) // its end fits no 32 bits
	require.NoError(t, err)
	assert.EqualValues(t, retErrno, run(t, program, sigaction, auditArch, 0xfff, 2, 1))
	assert.EqualValues(t, retAllow, run(t, program, sigaction, auditArch, 0xffff_ffff, 2, 1))
}

const filteredC = `
	#include <signal.h>
	#include <sys/resource.h>
	static void handler(int s) {}
	int take(int s) { return signal(s, handler) == SIG_ERR; }
	int lift(void) {
		struct rlimit r;
		if (getrlimit(RLIMIT_STACK, &r)) return 1;
		r.rlim_cur -= 4096;
		return setrlimit(RLIMIT_STACK, &r);
	}
	long soft(void) { struct rlimit r; return getrlimit(RLIMIT_STACK, &r) ? -1 : r.rlim_cur; }
`

func status(t *testing.T, tid int) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/status", tid))
	assert.NoError(t, err)
	return string(b)
}

func TestFilterThread(t *testing.T) {
	if withCgo {
		assert.ErrorContains(t, FilterThread(Filter{}), "dl: filter thread: not in a program with cgo")
		return
	}
	lib := buildC(t, filteredC)
	function := map[string]*Func{}
	for _, name := range []string{"take", "lift", "soft"} {
		f, err := lib.Lookup(name)
		require.NoError(t, err)
		function[name] = &f
	}
	before, err := ReadSignalAction(syscall.SIGXFSZ)
	require.NoError(t, err)
	defer func() { assert.NoError(t, before.Restore()) }()
	soft := function["soft"].Call()
	if status := status(t, syscall.Gettid()); !strings.Contains(status, "NoNewPrivs:\t0") || !strings.Contains(status, "Seccomp:\t0") {
		t.Skip("this process is filtered already, as in a container: whose filter is whose could not be told")
	}

	th := newThread(t)
	require.NoError(t, th.Do(func() {
		err = FilterThread(Filter{Signals: []syscall.Signal{syscall.SIGXFSZ, syscall.SIGUSR2}, Limits: []int{3}})
	}))
	if err != nil {
		t.Skipf("this kernel or container takes no filter: %v", err)
	}
	same := func(s syscall.Signal, want SignalAction) bool {
		now, err := ReadSignalAction(s)
		assert.NoError(t, err)
		return assert.Equal(t, want, now)
	}
	require.NoError(t, th.Do(func() {
		assert.Contains(t, status(t, syscall.Gettid()), "Seccomp:\t2")
		assert.Zero(t, function["take"].Call(uintptr(syscall.SIGXFSZ)))
		same(syscall.SIGXFSZ, before)
		assert.Zero(t, function["lift"].Call())
		assert.Equal(t, soft, function["soft"].Call())

		// Go's own changes pass, from there too.
		usr2, err := ReadSignalAction(syscall.SIGUSR2)
		assert.NoError(t, err)
		signal.Ignore(syscall.SIGUSR2)
		now, err := ReadSignalAction(syscall.SIGUSR2)
		assert.NoError(t, err)
		assert.EqualValues(t, 1, now.Handler)
		signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR2)
		same(syscall.SIGUSR2, usr2)
		if t.Failed() {
			return
		}
		// Threads that Go makes meanwhile come from elsewhere.
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() { time.Sleep(20 * time.Millisecond); _, _ = syscall.Getpriority(0, 0) })
		}
		wg.Wait()
	}))
	entries, err := os.ReadDir("/proc/self/task")
	require.NoError(t, err)
	filtered := 0
	for _, e := range entries {
		var tid int
		fmt.Sscan(e.Name(), &tid)
		if b, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/status", tid)); err == nil && strings.Contains(string(b), "Seccomp:\t2") {
			filtered++
		}
	}
	assert.Equal(t, 1, filtered)
	out, err := exec.Command("grep", "-E", "^(NoNewPrivs|Seccomp):", "/proc/self/status").Output()
	require.NoError(t, err)
	assert.Equal(t, "NoNewPrivs:\t0\nSeccomp:\t0\n", string(out), "of a child started elsewhere")

	// Without a filter the library takes the signal, and Restore gives it back whole.
	assert.Zero(t, function["take"].Call(uintptr(syscall.SIGXFSZ)))
	taken, err := ReadSignalAction(syscall.SIGXFSZ)
	require.NoError(t, err)
	assert.NotEqual(t, before.Handler, taken.Handler)
	require.NoError(t, before.Restore())
	same(syscall.SIGXFSZ, before)
}

func TestSignalActionErrors(t *testing.T) {
	_, err := ReadSignalAction(1000)
	assert.ErrorContains(t, err, "dl: read action of signal 1000: invalid argument")
	assert.ErrorContains(t, SignalAction{Signal: syscall.SIGKILL}.Restore(), "dl: restore action of signal 9: invalid argument")
}
