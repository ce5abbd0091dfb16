package worker

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/child/jail"
	"github.com/purecuda/purecuda/rtc/compile"
)

// FuzzUnpack holds that what can be taken apart is put together the same.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte{})
	f.Add(pack("a", "", "bc"))
	f.Add([]byte{255, 255, 255, 255})
	f.Add([]byte{1, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		parts, err := unpack(b)
		if err == nil && !bytes.Equal(pack(parts...), b) {
			t.Fatalf("%q became %q", b, parts)
		}
	})
}

// FuzzAnswer has a hostile worker answer.
func FuzzAnswer(f *testing.F) {
	f.Add(encodeAnswer(nil, errors.New("x")))
	f.Add(pack(msgRefused, "0", ""))
	f.Add(pack(msgText, "source", "3", "bad"))
	f.Add(pack(msgRefused, "6", "k.cu(1): error: no"))
	c, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{Version: dl.Version{Major: 12, Minor: 4}}))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := decodeAnswer(b, &compile.Request{Compiler: c}, true)
		if (e == nil) == (err == nil) {
			t.Fatalf("%q is %v and %v", b, e, err)
		}
	})
}

func TestRequestsTravel(t *testing.T) {
	want := &compile.Request{Name: "\xe4", Source: "\x00\xff", Options: []string{"", "-DX"}, Exports: []string{"k<int>"}, Headers: map[string]string{"a": "", "b": "c"}}
	parts, err := unpack(encodeRequest(want))
	require.NoError(t, err)
	got, err := decodeRequest(parts[1:])
	require.NoError(t, err)
	assert.Equal(t, want, got)
	for n := range parts {
		_, err := decodeRequest(parts[:n])
		assert.Error(t, err)
	}
}

func TestFrameLimits(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, writeFrame(&b, make([]byte, 100)))
	whole := b.Bytes()
	_, err := readFrame(bytes.NewReader(whole), 99)
	var long *tooLong
	require.ErrorAs(t, err, &long)
	got, err := readFrame(bytes.NewReader(whole), 100)
	require.NoError(t, err)
	assert.Len(t, got, 100)
	_, err = readFrame(bytes.NewReader(whole[:50]), 100)
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
	_, err = readFrame(bytes.NewReader(nil), 100)
	assert.Equal(t, io.EOF, err)
}

func TestSetupTravels(t *testing.T) {
	for _, want := range []setup{{}, {again: true, library: "/a\xff b", stack: 7, walls: jail.Walls{Landlock: 3, Seccomp: true}, read: []string{"/a", "/b\n"}}} {
		got, err := decodeSetup(want.encode())
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, bad := range []string{"1", "", "!", "AAAA"} {
		_, err := decodeSetup(bad)
		assert.Error(t, err)
	}
}

// TestNoMain has a program that can't be a worker: it would run itself for ever.
func TestNoMain(t *testing.T) {
	called.Store(false)
	defer called.Store(true)
	if !supported {
		t.Skip("no workers here")
	}
	t.Setenv("PATH", t.TempDir())
	_, err := NewPool(Config{})
	assert.ErrorIs(t, err, ErrNoMain)
	t.Setenv("PATH", t.TempDir())
	purecuda := filepath.Join(os.Getenv("PATH"), "purecuda")
	require.NoError(t, os.WriteFile(purecuda, nil, 0o700))
	p, err := NewPool(Config{})
	require.NoError(t, err)
	assert.Equal(t, purecuda, p.config.Path)
	assert.Equal(t, []string{"worker"}, p.config.Args)
	require.NoError(t, p.Close())
	_, err = (&Pool{}).launch(kind{})
	assert.ErrorIs(t, err, ErrNoMain)
}
