package compile_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

const (
	processes = 50
	kernels   = 20
	// childFolder has the test binary be one of many processes, which share the
	// folder; childHangs has NVRTC not come back.
	childFolder = "PURECUDA_COMPILE_CHILD"
	childHangs  = "PURECUDA_COMPILE_HANGS"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		if err := child(folder); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// A report is what a child did.
type report struct {
	compile.Stats
	Digest string // of all that it got
}

// child has a service in the folder compile all kernels.
func child(folder string) error {
	hangs := os.Getenv(childHangs) != ""
	c, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{Path: filepath.Join(folder, "libnvrtc.so"), Compile: func(c *nvrtctest.Compile) {
		if hangs {
			fmt.Println("compiling")
			select {}
		}
		time.Sleep(5 * time.Millisecond)
		c.Default()
	}}))
	if err != nil {
		return err
	}
	// A disk that a busy machine makes slow would be left out, and a kernel compiled twice.
	store := cache.NewTiered(cache.TieredConfig{Timeout: patience, WriteTimeout: patience},
		cache.NewMemory(cache.MemoryConfig{}), cache.NewDisk(cache.DiskConfig{Dir: filepath.Join(folder, "cache")}))
	defer store.Close()
	s := compile.NewService(compile.Config{Compiler: c, Store: store, MaxThreads: 2})
	var jobs []*compile.Job
	for i := range kernels {
		j, err := s.Submit(context.Background(), compile.Request{Source: fmt.Sprintf("extern \"C\" __global__ void k%d() {}\n", i)})
		if err != nil {
			return err
		}
		jobs = append(jobs, j)
	}
	h := sha256.New()
	for _, j := range jobs {
		r, err := j.Wait(context.Background())
		if err != nil {
			return err
		}
		h.Write(r.Entry.Image)
	}
	if err := json.NewEncoder(os.Stdout).Encode(report{s.Stats(), fmt.Sprintf("%x", h.Sum(nil))}); err != nil {
		return err
	}
	return s.Close()
}

func startChild(t *testing.T, folder string, env ...string) *exec.Cmd {
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), append(env, childFolder+"="+folder)...)
	cmd.Stderr = os.Stderr
	return cmd
}

func sharedFolder(t *testing.T) string {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "libnvrtc.so"), "double")
	return folder
}

// TestManyProcesses: 50 processes that ask for the same 20 kernels at the same
// time compile each of them once, all together.
func TestManyProcesses(t *testing.T) {
	folder := sharedFolder(t)
	reports := make([]report, processes)
	var all sync.WaitGroup
	for i := range reports {
		all.Go(func() {
			out, err := startChild(t, folder).Output()
			if assert.NoError(t, err) {
				assert.NoError(t, json.Unmarshal(out, &reports[i]), "%s", out)
			}
		})
	}
	all.Wait()
	var sum compile.Stats
	for _, r := range reports {
		assert.Equal(t, uint64(kernels), r.Succeeded)
		assert.Equal(t, reports[0].Digest, r.Digest)
		sum.Compiles += r.Compiles
		sum.Cached += r.Cached
		sum.Awaited += r.Awaited
	}
	assert.Equal(t, uint64(kernels), sum.Compiles, "each once")
	assert.Equal(t, uint64((processes-1)*kernels), sum.Cached)
	t.Logf("%d of %d were waited for", sum.Awaited, sum.Cached)
	assert.Empty(t, locksIn(t, folder))
}

// locksIn are the lock files that are left.
func locksIn(t *testing.T, folder string) (locks []string) {
	require.NoError(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".lock") {
			locks = append(locks, path)
		}
		return err
	}))
	return locks
}

// TestDeadOwner: a process that is killed while it compiles leaves its locks to
// others.
func TestDeadOwner(t *testing.T) {
	folder := sharedFolder(t)
	hung := startChild(t, folder, childHangs+"=1")
	out, err := hung.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, hung.Start())
	lines := bufio.NewScanner(out)
	for range 2 { // both of its threads
		require.True(t, lines.Scan())
	}
	other := startChild(t, folder)
	told, err := os.Create(filepath.Join(t.TempDir(), "report"))
	require.NoError(t, err)
	defer told.Close()
	other.Stdout = told
	text := func() []byte {
		b, err := os.ReadFile(told.Name())
		require.NoError(t, err)
		return b
	}
	require.NoError(t, other.Start())
	time.Sleep(200 * time.Millisecond)
	assert.Empty(t, text(), "it waits for two kernels")
	require.NoError(t, hung.Process.Kill())
	_ = hung.Wait()
	require.NoError(t, other.Wait())
	var r report
	require.NoError(t, json.Unmarshal(text(), &r))
	assert.Equal(t, uint64(kernels), r.Succeeded)
	assert.Equal(t, uint64(kernels), r.Compiles)
}
