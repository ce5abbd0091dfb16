//go:build linux && (amd64 || arm64)

package worker_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/child/jail"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// A guest is the code of a worker that somebody took over: a source that begins
// with "attack" is done in Go, when all walls stand, and the error says what came
// of it.
type guest struct{ compile.InProcess }

func (g guest) Run(ctx context.Context, r *compile.Request) (*cache.Entry, error) {
	if r.Source == starving {
		return nil, r.Compiler.Refusal(r.Source, nvrtc.ProgramConfig{Name: r.Name}, r.Options, nvrtc.Compilation, "k.cu(8636): catastrophic error: out of memory\n")
	}
	fields := strings.Fields(r.Source)
	if len(fields) == 0 || fields[0] != "attack" {
		return g.InProcess.Run(ctx, r)
	}
	name, args := fields[1], fields[2:]
	err := attacks[name](args)
	if err == nil { // and on a thread that is not the main one
		return nil, errors.New("done")
	}
	second := make(chan error)
	go func() {
		runtime.LockOSThread()
		second <- attacks[name](args)
	}()
	if err2 := <-second; err2 == nil {
		return nil, errors.New("done on another thread")
	}
	return nil, fmt.Errorf("refused: %w", err)
}

// starving stands for a source for which NVRTC's front end has too little memory.
// With a real one it is Go's runtime in the worker, now and then, that has.
const starving = "starving"

var attacks = map[string]func(args []string) error{
	"read": func(args []string) error { _, err := os.ReadFile(args[0]); return err },
	"list": func(args []string) error { _, err := os.ReadDir(filepath.Dir(args[0])); return err },
	"write": func(args []string) error {
		f, err := os.OpenFile(args[0]+".new", os.O_WRONLY|os.O_CREATE, 0o600)
		if err == nil {
			err = f.Close()
		}
		return err
	},
	"remove": func(args []string) error { return os.Remove(args[0]) },
	"listen": func([]string) error { l, err := net.Listen("tcp", "127.0.0.1:0"); return closing(l, err) },
	"dial":   func(args []string) error { c, err := net.Dial("tcp", args[1]); return closing(c, err) },
	"udp":    func([]string) error { c, err := net.ListenPacket("udp", "127.0.0.1:0"); return closing(c, err) },
	"unix":   func(args []string) error { c, err := net.Dial("unix", args[2]); return closing(c, err) },
	"exec": func([]string) error {
		p, err := os.StartProcess("/proc/self/exe", []string{"guest", "-test.run=^$"}, &os.ProcAttr{Env: []string{"NO=worker"}})
		if err == nil {
			_, err = p.Wait()
		}
		return err
	},
	"signal": func(args []string) error { return syscall.Kill(number(args[3]), syscall.SIGUSR1) },
	"trace":  func(args []string) error { return syscall.PtraceAttach(number(args[4])) },
	"memory": func(args []string) error {
		f, err := os.Open("/proc/" + args[3] + "/environ")
		return closing(f, err)
	},
	"crash": func([]string) error { panic("this worker crashes") },
	"exit":  func([]string) error { os.Exit(9); return nil },
	"hang":  func([]string) error { time.Sleep(time.Hour); return nil },
	"limits": func([]string) error {
		unlimited := ^uint64(0)
		return syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: unlimited, Max: unlimited})
	},
}

func closing(c interface{ Close() error }, err error) error {
	if err == nil {
		_ = c.Close()
	}
	return err
}

func number(s string) int { n, _ := strconv.Atoi(s); return n }

// TestGuest has a bad guest try everything, once without walls, which shows that
// it can, and once with them.
func TestGuest(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	server, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer server.Close()
	local, err := net.Listen("unix", "@purecuda-guest-"+strconv.Itoa(os.Getpid()))
	require.NoError(t, err)
	defer local.Close()
	victim, stop := begin(t)
	secret := writeFile(t, "secret", "hush")
	can := func(p *worker.Pool) (done []string) {
		for name := range attacks {
			switch name {
			case "crash", "exit", "hang", "remove": // of the soak, and last
				continue
			}
			if what := attack(t, p, c, name, secret, server.Addr().String(), local.Addr().String(), strconv.Itoa(os.Getpid()), strconv.Itoa(victim)); strings.HasPrefix(what, "done") {
				done = append(done, name)
			}
		}
		if strings.HasPrefix(attack(t, p, c, "remove", secret), "done") {
			done = append(done, "remove")
		}
		slices.Sort(done)
		return done
	}
	signals := notify(t, syscall.SIGUSR1)
	walled := newPool(t, worker.Config{Workers: 1})
	if w := walled.Walls(); w.Landlock == 0 || !w.Seccomp {
		missing(t, "landlock", w.String())
	}
	assert.Empty(t, can(walled))
	select {
	case <-signals:
		t.Error("it reached this process")
	default:
	}
	open := newPool(t, worker.Config{Workers: 1, Isolation: worker.Off})
	assert.Subset(t, can(open), []string{"dial", "exec", "list", "listen", "memory", "read", "remove", "signal", "udp", "unix", "write"})
	select {
	case <-signals:
	case <-time.After(patience):
		t.Error("this can't tell")
	}
	require.NoError(t, open.Close()) // what one of its threads traces isn't gone before
	stop()
}

// attack is what came of one.
func attack(t *testing.T, p *worker.Pool, c compiler, name string, args ...string) string {
	t.Helper()
	_, err := run(p, c, "attack "+name+" "+strings.Join(args, " "))
	require.Error(t, err)
	what := strings.TrimPrefix(err.Error(), "worker: compile k.cu: ")
	require.Regexp(t, "^(done|refused)", what, name)
	t.Logf("%s: %s", name, what)
	return what
}

// TestGuestOfOneWall has machines with one wall alone, which holds what is its.
func TestGuestOfOneWall(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	secret := writeFile(t, "secret", "hush")
	machine := jail.Probe()
	for name, x := range map[string]struct {
		walls jail.Walls
		keeps []string
	}{
		"landlock": {jail.Walls{Landlock: machine.Landlock}, []string{"read", "list", "write", "remove"}},
		"seccomp":  {jail.Walls{Seccomp: machine.Seccomp}, []string{"read", "list", "write", "remove", "exec", "listen", "udp"}},
	} {
		t.Run(name, func(t *testing.T) {
			if x.walls == (jail.Walls{}) {
				missing(t, name, machine.String())
			}
			defer worker.SetProbe(x.walls)()
			p := newPool(t, worker.Config{Workers: 1})
			for _, a := range x.keeps {
				assert.Regexp(t, "^refused", attack(t, p, c, a, secret), a)
			}
		})
	}
}
