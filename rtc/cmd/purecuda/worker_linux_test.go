package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/child/jail"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// TestWorker: a program whose main does not call worker.Main, as this one's, has
// the command be its worker.
func TestWorker(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	pool, err := worker.NewPool(worker.Config{Path: binary, Args: []string{"worker"}, Workers: 1})
	require.NoError(t, err)
	service := compile.NewService(compile.Config{Runner: pool, Compiler: c})
	defer service.Close()
	job, err := service.Submit(context.Background(), compile.Request{Source: `extern "C" __global__ void k() {}`})
	require.NoError(t, err)
	r, err := job.Wait(context.Background())
	require.NoError(t, err)
	assert.Contains(t, string(r.Entry.Image), ".entry k()")
}

// Isolated compiles give what others give, and stop when they have to.
func TestCompileIsolated(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	d.good("compile", "-w", "-fresh", "-arch", "sm_80", "scale.cu", "-o", "here.cubin")
	d.good("compile", "-w", "-fresh", "-arch", "sm_80", "-isolated", "scale.cu", "-o", "there.cubin")
	assert.Equal(t, d.read("here.cubin"), d.read("there.cubin"))
	r := d.run("compile", "-isolated", "bad.cu")
	assert.Equal(t, 1, r.code)
	assert.Contains(t, r.err, `bad.cu:3:12: error: identifier "y" is undefined`)

	d.write("nosy.cu", "#include \"/etc/passwd\"\n")
	r = d.run("compile", "-isolated", "nosy.cu")
	assert.Equal(t, 1, r.code)
	if jail.Probe().Landlock > 0 {
		assert.Contains(t, r.err, "nosy.cu:1:23: fatal error: cannot open source file \"/etc/passwd\"\n")
		assert.Contains(t, r.err, "nosy.cu: note: in a worker a source can include CUDA's headers and what lies in the folders")
	}

	// A header that lies beside standard input's program is there, too.
	c := d.command("compile", "-w", "-isolated", "-arch", "sm_80", "-name", "scale.cu", "-o", "in.cubin", "-")
	c.Stdin = strings.NewReader(d.read("scale.cu"))
	r = d.finish(c)
	require.Zero(t, r.code, r.err)
	assert.Equal(t, d.read("here.cubin"), d.read("in.cubin"))

	d.write("slow.cu", slow)
	began := time.Now()
	d.folder("out")
	r = d.run("compile", "-isolated", "-timeout", "300ms", "slow.cu", "-o", "out/")
	assert.Less(t, time.Since(began), 5*time.Second)
	assert.Equal(t, 1, r.code)
	assert.Contains(t, r.err, "slow.cu: error: slow.cu was stopped after 300ms: it ran for too long")
}
