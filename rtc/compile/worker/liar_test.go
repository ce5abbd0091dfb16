//go:build linux && (amd64 || arm64)

package worker_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"os"
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
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// A lie is what a worker that was taken over answers a request with.
type lie struct {
	answer func(number []byte) []byte // all that it writes, frames and not
	then   func()                     // nil: it reads on
	want   string                     // of the error; "": there is none
}

func part(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

func parts[T ~string | ~[]byte](all ...T) (b []byte) {
	for _, p := range all {
		b = append(b, part([]byte(p))...)
	}
	return b
}

// says is a frame with an answer.
func says[T ~string | ~[]byte](number []byte, answer ...T) []byte {
	return part(parts(number, parts(answer...)))
}

const goodPTX = "//\n.version 8.4\n.target sm_80\n.entry k()"

func entry(e cache.Entry) []byte { return cache.Encode(cache.Key{}, &e) }

func good(number []byte) []byte {
	return says(number, "entry", string(entry(cache.Entry{Kind: cache.PTX, Image: []byte(goodPTX)})))
}

func with(e cache.Entry) func(number []byte) []byte {
	return func(number []byte) []byte { return says(number, "entry", string(entry(e))) }
}

func always(b []byte) func([]byte) []byte { return func([]byte) []byte { return b } }

func exit()  { os.Exit(7) }
func die()   { _ = syscall.Kill(os.Getpid(), syscall.SIGSEGV); select {} }
func pause() { _ = syscall.Kill(os.Getpid(), syscall.SIGSTOP); select {} }

var lies = map[string]lie{
	"nothing":           {always(nil), exit, "exit code 7"},
	"the truth":         {good, nil, ""},
	"twice":             {func(n []byte) []byte { return append(good(n), good(n)...) }, nil, ""}, // the next one is asked again
	"to the next":       {func(n []byte) []byte { n[0]++; return good(n) }, nil, "no answer to this"},
	"without a number":  {always(part(parts("entry", "x"))), nil, "no answer to this"},
	"three parts":       {func(n []byte) []byte { return part(parts(n, []byte("x"), []byte("y"))) }, nil, "no answer to this"},
	"an empty frame":    {always(part(nil)), nil, "no answer to this"},
	"an empty answer":   {func(n []byte) []byte { return says[string](n) }, nil, "that are no message"},
	"a part too long":   {func(n []byte) []byte { return part(append(part(n), 255, 255, 255, 127, 1)) }, nil, "no answer to this"},
	"a huge frame":      {always([]byte{255, 255, 255, 255}), nil, "is 1048576 (Config.Output)"},
	"a large log":       {func(n []byte) []byte { return says(n, "refused", "6", strings.Repeat("x", 2<<20)) }, nil, "is 1048576 (Config.Output)"},
	"half a length":     {always([]byte{10, 0}), exit, "exit code 7"},
	"half a frame":      {always([]byte{10, 0, 0, 0, 1}), exit, "exit code 7"},
	"dead in a frame":   {always([]byte{10, 0, 0, 0, 1}), die, "SIGSEGV"},
	"another message":   {func(n []byte) []byte { return says(n, "ready") }, nil, `a message "ready" of 1 parts`},
	"an unknown one":    {func(n []byte) []byte { return says(n, "\xff\x00\n") }, nil, "a message"},
	"refused as right":  {func(n []byte) []byte { return says(n, "refused", "0", "") }, nil, "a message"},
	"refused as words":  {func(n []byte) []byte { return says(n, "refused", "six", "") }, nil, "a message"},
	"refused with 2^80": {func(n []byte) []byte { return says(n, "refused", "1208925819614629174706176", "") }, nil, "a message"},
	"text at words":     {func(n []byte) []byte { return says(n, "text", "source", "x", "y") }, nil, "a message"},
	"no entry":          {func(n []byte) []byte { return says(n, "entry", "x") }, nil, "cut short"},
	"an entry of another key": {func(n []byte) []byte {
		return says(n, "entry", string(cache.Encode(cache.Key{1}, &cache.Entry{Kind: cache.PTX, Image: []byte(goodPTX)})))
	}, nil, "another key"},
	"a changed entry": {func(n []byte) []byte { b := good(n); b[len(b)-20] ^= 1; return b }, nil, "SHA-256"},
	"no image":        {with(cache.Entry{Kind: cache.PTX}), nil, "PTX that is none"},
	"no PTX":          {with(cache.Entry{Kind: cache.PTX, Image: []byte("\x7fELF")}), nil, "PTX that is none"},
	"a cubin":         {with(cache.Entry{Kind: cache.CUBIN, Image: []byte("\x7fELF")}), nil, "where the options ask for"},
	"an unknown kind": {with(cache.Entry{Kind: 200, Image: []byte("\x7fELF")}), nil, "where the options ask for"},
	"other exports":   {with(cache.Entry{Kind: cache.PTX, Image: []byte(goodPTX), Lowered: map[string]string{"k": "k"}}), nil, "not asked for"},
	"stopped":         {func(n []byte) []byte { b := good(n); return b[:len(b)/2] }, pause, "-"},
	"bytes in words":  {func(n []byte) []byte { return says(n, "error", "\xff\xfe\x00\x1b[2J") }, nil, "\xff\xfe"},
}

// lying is the life of a worker that was taken over.
func lying(name string) {
	requests, answers := os.NewFile(3, "requests"), os.NewFile(4, "answers")
	hello := parts("here", "purecuda compile worker 3")
	switch name {
	case "an old version":
		hello = parts("here", "purecuda compile worker 2")
	case "a long hello":
		hello = bytes.Repeat([]byte{1}, 1<<20)
	case "half a hello":
		hello = nil
		_, _ = answers.Write([]byte{100, 0, 0, 0, 1})
		select {}
	}
	_, _ = answers.Write(part(hello))
	_, _ = io.ReadFull(requests, make([]byte, 4))
	_, _ = answers.Write(part(parts("ready")))
	for {
		length := make([]byte, 4)
		if _, err := io.ReadFull(requests, length); err != nil {
			os.Exit(0)
		}
		message := make([]byte, binary.LittleEndian.Uint32(length))
		_, _ = io.ReadFull(requests, message)
		l := lies[name]
		_, _ = answers.Write(l.answer(message[4:12]))
		if l.then != nil {
			l.then()
		}
	}
}

func liar(t *testing.T, name string, c worker.Config) *worker.Pool {
	self, err := os.Executable()
	require.NoError(t, err)
	c.Path, c.Args, c.Workers = self, []string{"liar", name}, 1
	return newPool(t, c)
}

func double(t *testing.T) *nvrtc.Compiler {
	c, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{Version: dl.Version{Major: 12, Minor: 4}}))
	require.NoError(t, err)
	return c
}

// TestLies has workers answer what no worker does: the host tells it, goes on, and keeps
// neither process nor goroutine.
func TestLies(t *testing.T) {
	c := double(t)
	for name, l := range lies {
		if name == "stopped" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			p := liar(t, name, worker.Config{Output: 1 << 20})
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			for i := range 3 {
				e, err := p.Run(ctx, &compile.Request{Compiler: c, Source: strings.Repeat(" ", i) + "int x;", Name: "k.cu"})
				if l.want != "" {
					assert.ErrorContains(t, err, l.want)
					assert.Nil(t, e)
					continue
				}
				require.NoError(t, err)
				assert.Equal(t, goodPTX, string(e.Image))
			}
			require.NoError(t, p.Close())
			assert.Empty(t, children())
		})
	}
}

// TestLiesOfTheNew has programs that lie from the beginning.
func TestLiesOfTheNew(t *testing.T) {
	t.Cleanup(worker.SetFirstWord(2 * time.Second))
	for name, want := range map[string]string{
		"an old version": "it is no worker of this version",
		"a long hello":   "1048576 bytes, and the limit is 4096",
		"half a hello":   "it said nothing for 2s",
	} {
		p := liar(t, name, worker.Config{})
		_, err := p.Run(context.Background(), &compile.Request{Compiler: double(t), Source: "int x;", Name: "k.cu"})
		assert.ErrorContains(t, err, want)
		require.NoError(t, p.Close())
	}
}

// TestStoppedInAFrame has a worker stop, as by Ctrl-Z, in the middle of its answer: it
// takes no processor time, and the request's context alone ends that.
func TestStoppedInAFrame(t *testing.T) {
	p := liar(t, "stopped", worker.Config{})
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	_, err := p.Run(ctx, &compile.Request{Compiler: double(t), Source: "int x;", Name: "k.cu"})
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	failed := make(chan error)
	go func() {
		_, err := p.Run(context.Background(), &compile.Request{Compiler: double(t), Source: "int y;", Name: "k.cu"})
		failed <- err
	}()
	time.Sleep(200 * time.Millisecond)
	require.NoError(t, p.Close())
	assert.ErrorIs(t, <-failed, worker.ErrClosed)
}

// TestLiesToAPing, which asks for the same.
func TestLiesToAPing(t *testing.T) {
	assert.ErrorContains(t, liar(t, "the truth", worker.Config{}).Ping(context.Background(), double(t)), "makes no sense: to a ping")
}
