package compile_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A rig is an NVRTC of Go, which compiles a source at once unless that says
// otherwise in its first line:
//
//	// wait     until release is called
//	// linger   the same, and nothing stops it
//	// tarry    the same, but only where a precompiled header is used
//	// crash    NVRTC fails
//	// warn 7   there is a warning of line 7
//	// once 7   the same, but where a precompiled header is used
type rig struct {
	t        testing.TB
	fake     *nvrtctest.NVRTC
	compiler *nvrtc.Compiler
	gate     chan struct{}
	open     func() // opens the gate

	mu   sync.Mutex
	most int // compiles at one time
	now  int
}

// newRig makes a rig of the version, which is a file, so that there are keys.
func newRig(t testing.TB, v dl.Version) *rig {
	return newRigAs(t, nvrtctest.Config{Version: v})
}

func newRigAs(t testing.TB, c nvrtctest.Config) *rig {
	path := filepath.Join(t.TempDir(), "libnvrtc.so")
	require.NoError(t, os.WriteFile(path, []byte("double"), 0o600))
	r := &rig{t: t}
	r.shut()
	c.Path, c.Compile = path, r.compile
	r.fake = nvrtctest.New(c)
	var err error
	r.compiler, err = nvrtc.Bind(r.fake)
	require.NoError(t, err)
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		r.open()
		waitFor(t, func() bool { return r.fake.Running() == 0 && r.fake.Live() == 0 })
		assert.NoError(t, r.compiler.Close())
		r.fake.Check(t)
		waitFor(t, func() bool { return runtime.NumGoroutine() <= before })
	})
	return r
}

// shut closes the gate, again, while nothing is compiled.
func (r *rig) shut() {
	gate := make(chan struct{})
	r.gate, r.open = gate, sync.OnceFunc(func() { close(gate) })
}

func (r *rig) compile(c *nvrtctest.Compile) {
	r.mu.Lock()
	r.now++
	r.most = max(r.most, r.now)
	r.mu.Unlock()
	defer func() { r.mu.Lock(); r.now--; r.mu.Unlock() }()
	line, _, _ := strings.Cut(c.Source, "\n")
	used := slices.ContainsFunc(c.Options, func(o string) bool { return strings.HasPrefix(o, "--use-pch=") })
	switch {
	case strings.HasPrefix(line, "// wait"), strings.HasPrefix(line, "// tarry") && used:
		if !c.Wait(r.gate) {
			return
		}
	case strings.HasPrefix(line, "// linger"):
		<-r.gate
	case strings.HasPrefix(line, "// crash"):
		c.Result = nvrtc.InternalError
		return
	}
	c.Default()
	at, ok := strings.CutPrefix(line, "// warn ")
	if !ok && !used {
		at, ok = strings.CutPrefix(line, "// once ")
	}
	if ok {
		c.Log = fmt.Sprintf("%s(%s): warning #177-D: variable \"x\" was declared but never referenced\n", c.Name, at) + c.Log
	}
}

// service makes a Service of the rig, closed when the test ends.
func (r *rig) service(c compile.Config) *compile.Service {
	c.Compiler = r.compiler
	s := compile.NewService(c)
	r.t.Cleanup(func() { assert.NoError(r.t, s.Close()) })
	return s
}

// sources are those that NVRTC has compiled, in the order of their end.
func (r *rig) sources() (all []string) {
	for _, c := range r.fake.Compiles() {
		all = append(all, c.Source)
	}
	return all
}

// patience is how long tests wait for what a busy machine does late.
const patience = time.Minute

func waitFor(t testing.TB, what func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !what(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			buf := make([]byte, 1<<20)
			t.Fatalf("waited for %v; goroutines:\n%s", patience, buf[:runtime.Stack(buf, true)])
		}
	}
}

func memory() cache.Store { return cache.NewMemory(cache.MemoryConfig{}) }

func submit(t testing.TB, s *compile.Service, source string) *compile.Job {
	t.Helper()
	j, err := s.Submit(context.Background(), compile.Request{Source: source, Name: "k.cu"})
	require.NoError(t, err)
	return j
}

func wait(t testing.TB, j *compile.Job) *compile.Result {
	t.Helper()
	r, err := j.Wait(context.Background())
	require.NoError(t, err)
	return r
}

var (
	stoppable = dl.Version{Major: 12, Minor: 8}
	unstopped = dl.Version{Major: 12, Minor: 4}
)

func write(t testing.TB, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
}
