package compile_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/compile"
)

const withHeader = "#include \"a.h\"\n"

// A heads is a Precompiled of a test, which closes it and looks that nothing is left.
type heads struct {
	*compile.Precompiled
	*rig
	folder string
	seed   int
}

func newHeads(t *testing.T, r *rig, bytes int64) *heads {
	h := &heads{rig: r, folder: t.TempDir()}
	var err error
	h.Precompiled, err = compile.NewPrecompiled(compile.PrecompiledConfig{Folder: h.folder, Bytes: bytes})
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, h.Close())
		assert.NoError(t, h.Close(), "again")
		left, err := os.ReadDir(h.folder)
		assert.NoError(t, err)
		assert.Empty(t, left)
	})
	return h
}

func (h *heads) request(preamble string) *compile.Request {
	h.seed++
	return &compile.Request{
		Compiler: h.compiler, Name: "k.cu", Headers: map[string]string{"a.h": "#define A 1\n"},
		Source: preamble + fmt.Sprintf("extern \"C\" __global__ void k%d() {}\n", h.seed),
	}
}

// run compiles r, and holds what comes of it to what comes without precompiled
// headers. It gives the options for them that NVRTC got: create, use or "".
func (h *heads) run(r *compile.Request) string {
	h.t.Helper()
	before := len(h.fake.Compiles())
	got, err := h.Run(context.Background(), r)
	var how []string
	for _, c := range h.fake.Compiles()[before:] {
		way := ""
		for _, o := range c.Options {
			if strings.HasPrefix(o, "--create-pch=") {
				way = "create"
			} else if strings.HasPrefix(o, "--use-pch=") {
				way = "use"
			}
		}
		how = append(how, way)
	}
	want, wantErr := compile.InProcess{}.Run(context.Background(), r)
	assert.Equal(h.t, want, got)
	assert.Equal(h.t, wantErr, err)
	return strings.Join(how, ", ")
}

func TestPrecompiled(t *testing.T) {
	h := newHeads(t, newRig(t, stoppable), 0)
	assert.Equal(t, "", h.run(h.request(withHeader)), "it may be the only one")
	assert.Equal(t, "create", h.run(h.request(withHeader)))
	assert.Equal(t, "use", h.run(h.request(withHeader)))
	assert.Equal(t, "use", h.run(h.request(withHeader)))
	r := h.request(withHeader)
	r.Exports = []string{"k5"}
	assert.Equal(t, "use", h.run(r), "exports come behind")
	for _, change := range []func(*compile.Request){
		func(r *compile.Request) { r.Options = []string{"-DX=1"} },
		func(r *compile.Request) { r.Name = "other.cu" },
		func(r *compile.Request) { r.Headers["a.h"] = "#define A 2\n" },
		func(r *compile.Request) { r.Source = "#define X\n" + r.Source },
		func(r *compile.Request) { r.Source = strings.Replace(r.Source, "extern", "#define Y\nextern", 1) },
	} {
		for _, how := range []string{"", "create", "use"} {
			r := h.request(withHeader)
			change(r)
			assert.Equal(t, how, h.run(r))
		}
	}
	s := h.Stats()
	assert.EqualValues(t, 6, s.Made)
	assert.EqualValues(t, 8, s.Used)
	assert.Zero(t, s.Failed)
	assert.Equal(t, 6, s.Files)
	assert.Positive(t, s.Bytes)
	require.NoError(t, h.Close())
	assert.Equal(t, "", h.run(h.request(withHeader)))
	assert.Zero(t, h.Stats().Files+int(h.Stats().Bytes))
}

func TestPrecompiledLeavesAlone(t *testing.T) {
	for _, row := range []struct {
		what    string
		version *rig
		request func(h *heads) *compile.Request
	}{
		{"nothing is included", newRig(t, stoppable), func(h *heads) *compile.Request { return h.request("") }},
		{"a macro is included", newRig(t, stoppable), func(h *heads) *compile.Request { return h.request("#define N \"a.h\"\n#include N\n" + withHeader) }},
		{"there is no key", newRig(t, stoppable), func(h *heads) *compile.Request {
			r := h.request(withHeader)
			r.Options = []string{"--pch"}
			return r
		}},
		{"NVRTC has no precompiled headers", newRig(t, unstopped), func(h *heads) *compile.Request { return h.request(withHeader) }},
	} {
		h := newHeads(t, row.version, 0)
		for range 4 {
			assert.Equal(t, "", h.run(row.request(h)), row.what)
		}
		assert.Zero(t, h.Stats(), row.what)
	}
	for _, p := range []*compile.Precompiled{nil, {}} {
		h := &heads{Precompiled: p, rig: newRig(t, stoppable)}
		for range 3 {
			assert.Equal(t, "", h.run(h.request(withHeader)))
		}
		assert.Zero(t, p.Stats())
		assert.NoError(t, p.Close())
	}
}

// TestPrecompiledSeesHeaders: NVRTC and its double take a precompiled header of what
// a header was.
func TestPrecompiledSeesHeaders(t *testing.T) {
	h := newHeads(t, newRig(t, stoppable), 0)
	file := filepath.Join(t.TempDir(), "b.h")
	write(t, file, "#define B 1\n")
	request := func(a string) *compile.Request {
		r := h.request(withHeader + "#include \"" + filepath.ToSlash(file) + "\"\n")
		r.Headers["a.h"] = a
		return r
	}
	for _, how := range []string{"", "create", "use"} {
		assert.Equal(t, how, h.run(request("1")))
	}
	assert.Equal(t, "", h.run(request("2")))
	assert.Equal(t, "use", h.run(request("1")))
	write(t, file, "#define B 22\n")
	assert.Equal(t, "", h.run(request("1")))
	// One that the directives at the beginning don't include.
	r := request("1")
	r.Source = strings.Replace(r.Source, "extern", "#if X\nint x;\n#endif\n#include <a.h>\nextern", 1)
	assert.Equal(t, "create", h.run(r))
}

func TestPrecompiledFileGone(t *testing.T) {
	h := newHeads(t, newRig(t, stoppable), 0)
	for range 2 {
		h.run(h.request(withHeader))
	}
	files, err := filepath.Glob(filepath.Join(h.folder, "*", "*.pch"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.Remove(files[0]))
	assert.Equal(t, "use, ", h.run(h.request(withHeader)))
	assert.Equal(t, "create", h.run(h.request(withHeader)), "it may have been bad luck")
	assert.Equal(t, "use", h.run(h.request(withHeader)))
	files, _ = filepath.Glob(filepath.Join(h.folder, "*", "*.pch"))
	require.Len(t, files, 1)
	write(t, files[0], "spoilt")
	assert.Equal(t, "use, ", h.run(h.request(withHeader)))
	assert.Equal(t, "", h.run(h.request(withHeader)), "twice is no luck")
	assert.EqualValues(t, 2, h.Stats().Failed)
	assert.Zero(t, h.Stats().Files)

	h = newHeads(t, newRig(t, stoppable), 0)
	h.run(h.request(withHeader))
	require.NoError(t, os.RemoveAll(h.folder))
	assert.Equal(t, "create, ", h.run(h.request(withHeader)), "a folder that is gone")
	require.NoError(t, os.MkdirAll(h.folder, 0o700))
}

func TestPrecompiledHeap(t *testing.T) {
	h := newHeads(t, newRigAs(t, nvrtctest.Config{Version: stoppable, PCHHeap: 300 << 20}), 0)
	for _, how := range []string{"", "create", "create", "use"} {
		assert.Equal(t, how, h.run(h.request(withHeader)))
	}
	assert.Zero(t, h.Stats().Failed)
	size, err := h.compiler.PCHHeapSize()
	require.NoError(t, err)
	assert.EqualValues(t, 300<<20, size)

	// Another one in the process has it grown: those that were made are of no use.
	require.NoError(t, h.compiler.SetPCHHeapSize(400<<20))
	assert.Equal(t, "use, ", h.run(h.request(withHeader)))
	assert.Equal(t, "create", h.run(h.request(withHeader)))
	assert.Equal(t, "use", h.run(h.request(withHeader)))

	h = newHeads(t, newRigAs(t, nvrtctest.Config{Version: stoppable, PCHHeap: 2 << 30}), 0)
	for _, how := range []string{"", "create", "create", "", ""} {
		assert.Equal(t, how, h.run(h.request(withHeader)), "more than files may have")
	}
}

// TestPrecompiledHeapOfTwo: none moves the heap while another compiles with it.
func TestPrecompiledHeapOfTwo(t *testing.T) {
	r := newRigAs(t, nvrtctest.Config{Version: stoppable, PCHHeap: 300 << 20})
	one, other := newHeads(t, r, 0), newHeads(t, r, 0)
	request := func() *compile.Request { return one.request("// wait\n" + withHeader) }
	r.open()
	one.run(request())
	r.shut()
	var group sync.WaitGroup
	making := request()
	group.Go(func() {
		_, err := one.Run(context.Background(), making)
		assert.NoError(t, err)
	})
	waitFor(t, func() bool { return r.fake.Running() == 1 })
	before, err := r.compiler.PCHHeapSize()
	require.NoError(t, err)
	for range 2 {
		_, err := other.Run(context.Background(), other.request(withHeader))
		require.NoError(t, err)
	}
	after, err := r.compiler.PCHHeapSize()
	require.NoError(t, err)
	assert.Equal(t, before, after)
	r.open()
	group.Wait()
	for _, how := range []string{"create", "use"} {
		assert.Equal(t, how, one.run(request()))
	}
}

// TestPrecompiledWarnings: what NVRTC has to say of a header it would say once, also if
// #line in it says that it stands behind.
func TestPrecompiledWarnings(t *testing.T) {
	h := newHeads(t, newRig(t, stoppable), 0)
	for _, how := range []string{"", "create, use", "use"} {
		assert.Equal(t, how, h.run(h.request("// warn 4\n"+withHeader)), "of the kernel")
	}
	for _, line := range []string{"2", "700"} {
		for _, how := range []string{"", "create, use", "create, use", ""} {
			assert.Equal(t, how, h.run(h.request("// once "+line+"\n"+withHeader)), "of the preamble")
		}
	}
}

// TestPrecompiledErrors: the errors are those of a compile without, and their
// options are the caller's.
func TestPrecompiledErrors(t *testing.T) {
	h := newHeads(t, newRig(t, stoppable), 0)
	bad := func() *compile.Request {
		r := h.request(withHeader)
		r.Source += "#error no\n"
		r.Options = []string{"-DX"}
		return r
	}
	good := func() *compile.Request {
		r := bad()
		r.Source = strings.TrimSuffix(r.Source, "#error no\n")
		return r
	}
	for _, how := range []string{"", "create, use", "use"} {
		assert.Equal(t, how, h.run(bad()), "its headers are good")
	}
	assert.Equal(t, "use", h.run(good()))
	r := good()
	r.Options = []string{"-arch=compute_1"}
	for _, how := range []string{"", "create, ", "create, ", ""} {
		assert.Equal(t, how, h.run(r))
	}
	for _, how := range []string{"", "create, ", "create, ", ""} {
		assert.Equal(t, how, h.run(h.request("// crash\n"+withHeader)))
	}
	// An option without its value doesn't take the next one for it.
	r = h.request(withHeader)
	r.Options = []string{"-arch"}
	for range 3 {
		h.run(r)
	}
	for _, c := range h.fake.Compiles() {
		if slices.Contains(c.Options, "-arch") {
			assert.Equal(t, "-arch", c.Options[len(c.Options)-1])
		}
	}
}

func TestPrecompiledBound(t *testing.T) {
	r := newRig(t, stoppable)
	h := newHeads(t, r, 0)
	for range 2 {
		h.run(h.request(withHeader))
	}
	size := h.Stats().Bytes
	h = newHeads(t, r, 2*size)
	same := func(name string) *compile.Request {
		r := h.request(withHeader)
		r.Name = name
		return r
	}
	for _, name := range []string{"1.cu", "2.cu", "3.cu", "2.cu"} { // 1.cu's file has to go
		for range 2 {
			h.run(same(name))
		}
		assert.LessOrEqual(t, h.Stats().Bytes, 2*size)
		files, _ := filepath.Glob(filepath.Join(h.folder, "*", "*.pch"))
		assert.Len(t, files, h.Stats().Files)
	}
	assert.Equal(t, "use", h.run(same("2.cu")))
	assert.Equal(t, "use", h.run(same("3.cu")))
	assert.Equal(t, "create", h.run(same("1.cu")))
	assert.Equal(t, "create", h.run(same("2.cu")), "3.cu's was used later")
	h = newHeads(t, r, size-1)
	for _, how := range []string{"", "create", "create", ""} {
		assert.Equal(t, how, h.run(h.request(withHeader)))
	}
	// So many are remembered.
	for i := range 1100 {
		_, err := h.Run(context.Background(), same(fmt.Sprint(i)))
		require.NoError(t, err)
	}
	assert.Equal(t, "create", h.run(same("1099")))
	assert.Equal(t, "", h.run(same("0")))
}

func TestPrecompiledConfig(t *testing.T) {
	_, err := compile.NewPrecompiled(compile.PrecompiledConfig{Bytes: -1})
	assert.EqualError(t, err, "compile: new precompiled: the config's Bytes is -1, less than 0")
	none := filepath.Join(t.TempDir(), "none")
	_, err = compile.NewPrecompiled(compile.PrecompiledConfig{Folder: none})
	assert.ErrorIs(t, err, os.ErrNotExist)
	assert.ErrorContains(t, err, "compile: new precompiled: ")
	assert.ErrorContains(t, err, none)
}

// TestPrecompiledAtOnce has many compile while files come and go and the heap moves.
func TestPrecompiledAtOnce(t *testing.T) {
	r := newRig(t, stoppable)
	h := newHeads(t, r, 0)
	for range 2 {
		h.run(h.request(withHeader))
	}
	h = newHeads(t, r, 3*h.Stats().Bytes)
	service := r.service(compile.Config{Runner: h.Precompiled, MaxThreads: 8, QueueSize: 1000})
	var group sync.WaitGroup
	for n := range 16 {
		group.Go(func() {
			for i := range 50 {
				header := fmt.Sprintf("#define A %d\n", (n+i)%5)
				source := withHeader + fmt.Sprintf("extern \"C\" __global__ void k%d_%d() {}\n", n, i)
				j, err := service.Submit(context.Background(), compile.Request{Source: source, Name: "k.cu", Headers: map[string]string{"a.h": header}})
				if !assert.NoError(t, err) {
					return
				}
				result, err := j.Wait(context.Background())
				if assert.NoError(t, err) {
					assert.Contains(t, string(result.Entry.Image), fmt.Sprintf("// a.h: %q", header))
					assert.Contains(t, string(result.Entry.Image), fmt.Sprintf("k%d_%d()", n, i))
					assert.Empty(t, result.Entry.Log)
				}
				if i%20 == 19 {
					assert.NoError(t, r.compiler.SetPCHHeapSize(uint64(300+n)<<20))
				}
			}
		})
	}
	group.Wait()
	assert.Positive(t, h.Stats().Used)
	assert.LessOrEqual(t, h.Stats().Files, 3)
	require.NoError(t, service.Close())
	assert.Zero(t, h.Stats().Files)
}
