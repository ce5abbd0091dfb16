//go:build linux && (amd64 || arm64)

package nvrtc_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
)

// TestShieldChild is what the child processes run: a scene, in a process that
// has not compiled yet.
func TestShieldChild(t *testing.T) {
	scene := os.Getenv("SHIELD_SCENE")
	if scene == "" {
		t.Skip("for child processes")
	}
	kind, err := strconv.Atoi(os.Getenv("SHIELD"))
	require.NoError(t, err)
	want := nvrtc.Shield(kind)
	nvrtc.ForceShield(want)
	if want == nvrtc.ShieldNone {
		want = nvrtc.ShieldImports // it thinks
	}
	c, err := nvrtc.Open(nvrtc.Config{Path: os.Getenv("SHIELD_NVRTC")})
	require.NoError(t, err)
	defer c.Close()
	got, why := c.Shield()
	require.Equal(t, want, got, "%v", why)
	assert.Equal(t, want == nvrtc.ShieldImports, why == nil)
	fmt.Printf("shield %v: NVRTC %v\n", got, c.Version())
	scenes := map[string]func(*testing.T, *nvrtc.Compiler){
		"notify": sceneNotify, "ignore": sceneIgnore, "limits": sceneLimits, "exit": sceneExit,
		"die": sceneDie, "die on thread": sceneDieOnThread, "taken": sceneTaken, "repair": sceneRepair,
	}
	scenes[scene](t, c)
}

var taken3 = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGXFSZ}

func actions(t *testing.T) (a []dl.SignalAction) {
	for _, s := range taken3 {
		now, err := dl.ReadSignalAction(s)
		assert.NoError(t, err)
		a = append(a, now)
	}
	return a
}

func stackLimit() syscall.Rlimit {
	var r syscall.Rlimit
	_ = syscall.Getrlimit(syscall.RLIMIT_STACK, &r)
	return r
}

// anyThread sends the signal to one thread of the process, a different one each
// time, the compiler's among them, or to the process.
func anyThread(t *testing.T, n int, s syscall.Signal) {
	entries, err := os.ReadDir("/proc/self/task")
	assert.NoError(t, err)
	if i := n % (len(entries) + 1); i < len(entries) {
		id, _ := strconv.Atoi(entries[i].Name())
		if syscall.Tgkill(os.Getpid(), id, s) == nil {
			return // else it has ended meanwhile
		}
	}
	assert.NoError(t, syscall.Kill(os.Getpid(), s))
}

// Every signal that is sent arrives: before and in the first compile, in later
// ones, and afterwards in a busy program. The next is sent when the one before has
// arrived, for the system keeps only one of each.
func sceneNotify(t *testing.T, c *nvrtc.Compiler) {
	before, limit := actions(t), stackLimit()
	got := make(chan os.Signal, 10)
	signal.Notify(got, syscall.SIGINT, syscall.SIGTERM)
	assert.Equal(t, before, actions(t))
	received, odd := 0, 0
	storm := func(during string, f func()) {
		sent := 0
		ended := make(chan struct{})
		go func() { f(); close(ended) }()
		for running := true; running || sent < 5; sent++ {
			s := taken3[sent%2]
			anyThread(t, sent, s)
			select {
			case r := <-got:
				require.Equal(t, os.Signal(s), r, during)
				received++
			case <-time.After(patience):
				t.Fatalf("shield: signal %d of %s did not arrive", sent+1, during)
			}
			c, r := actions(t), stackLimit()
			if fmt.Sprint(c, r) != fmt.Sprint(before, limit) {
				odd++
			}
			select {
			case <-ended:
				running = false
			case <-time.After(time.Millisecond):
			}
		}
		fmt.Printf("shield: %d signals during %s, all received\n", sent, during)
	}
	for i := range 3 {
		storm(fmt.Sprintf("compile %d", i+1), func() { assert.NoError(t, compile(c, slowSource(150))) })
	}
	storm("refused compile", func() { assert.Error(t, compile(c, "x")) })
	storm("busy goroutines", func() {
		var stop atomic.Bool
		ended := make(chan int)
		for range 4 {
			go func() {
				n := 0
				for ; !stop.Load(); n++ {
				}
				ended <- n
			}()
		}
		time.Sleep(700 * time.Millisecond)
		stop.Store(true)
		for range 4 {
			<-ended
		}
	})
	assert.Equal(t, before, actions(t))
	assert.Equal(t, limit, stackLimit())
	if s, _ := c.Shield(); s != nvrtc.ShieldRestore {
		assert.Zero(t, odd, "times that handlers or stack limit were seen changed")
	}
	assert.Greater(t, received, 20)
}

func sceneIgnore(t *testing.T, c *nvrtc.Compiler) {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM)
	before := actions(t)
	require.EqualValues(t, 1, before[0].Handler)
	for range 2 {
		done := make(chan error)
		go func() { done <- compile(c, slowSource(100)) }()
		for n := 0; ; n++ {
			anyThread(t, n, taken3[n%2])
			select {
			case err := <-done:
				assert.NoError(t, err)
				fmt.Printf("shield: %d signals ignored\n", n)
			case <-time.After(time.Millisecond):
				continue
			}
			break
		}
	}
	assert.Equal(t, before, actions(t))
	assert.True(t, signal.Ignored(syscall.SIGINT))

	// A wish uttered while a compile runs is respected.
	done := make(chan error)
	go func() { done <- compile(c, slowSource(100)) }()
	time.Sleep(10 * time.Millisecond)
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGINT)
	assert.NoError(t, <-done)
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGINT))
	select {
	case <-got:
	case <-time.After(patience):
		t.Error("no signal after Notify")
	}
}

// Children started while a compile runs have the process's own stack limit.
func sceneLimits(t *testing.T, c *nvrtc.Compiler) {
	limit := func() string {
		out, err := exec.Command("sh", "-c", "ulimit -s; grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status").Output()
		assert.NoError(t, err)
		return string(out)
	}
	before := limit()
	var stop atomic.Bool
	done := make(chan error)
	go func() {
		var err error
		for err == nil && !stop.Load() {
			err = compile(c, slowSource(40))
		}
		done <- err
	}()
	children := 0
	for end := time.Now().Add(1500 * time.Millisecond); time.Now().Before(end) || children < 10; children++ {
		assert.Equal(t, before, limit())
	}
	stop.Store(true)
	assert.NoError(t, <-done)
	fmt.Printf("shield: %d children with %q\n", children, before)
}

// during runs f while the process's first compile, of many seconds, is on.
func during(t *testing.T, c *nvrtc.Compiler, f func()) {
	go func() { fmt.Println("the compile ended:", compile(c, slowSource(3000))) }()
	for c.Busy() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	f()
	time.Sleep(20 * time.Second)
	t.Error("the signal did nothing")
}

func sceneExit(t *testing.T, c *nvrtc.Compiler) {
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGTERM)
	go func() { <-got; os.Exit(42) }()
	during(t, c, func() { assert.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM)) })
}

func sceneDie(t *testing.T, c *nvrtc.Compiler) {
	during(t, c, func() { assert.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGINT)) })
}

func sceneDieOnThread(t *testing.T, c *nvrtc.Compiler) {
	id := 0
	c.OnThread(func() { id = syscall.Gettid() })
	during(t, c, func() {
		assert.Equal(t, 1, c.Busy())
		assert.NoError(t, syscall.Tgkill(os.Getpid(), id, syscall.SIGINT))
	})
}

// sceneTaken waits until NVRTC has taken SIGTERM.
func sceneTaken(t *testing.T, c *nvrtc.Compiler) {
	before := actions(t)
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGTERM)
	go func() { <-got; os.Exit(42) }()
	during(t, c, func() {
		for actions(t)[1].Handler == before[1].Handler {
			runtime.Gosched()
		}
		assert.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	})
}

func sceneRepair(t *testing.T, c *nvrtc.Compiler) {
	before := actions(t)
	require.NoError(t, compile(c, slowSource(10)))
	assert.Equal(t, before, actions(t))
	shield, why := c.Shield()
	assert.Equal(t, nvrtc.ShieldRestore, shield)
	assert.ErrorContains(t, why, "had lost its flags")
	assert.Equal(t, 1, strings.Count(why.Error(), "flags"), "said once")
}
