package driver

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
)

func TestPTXHeader(t *testing.T) {
	version, target, ok := ptxHeader([]byte("//\n// made by hand\n.version 8.4\n.target sm_90a, debug\n"))
	require.True(t, ok)
	require.Equal(t, "8.4", version)
	require.Equal(t, "sm_90a", target)
	for _, no := range []string{"", "hello", "\x7fELF\x00.version 8.4\n", strings.Repeat(" ", 5000) + ".version 8.4"} {
		_, _, ok = ptxHeader([]byte(no))
		require.False(t, ok, "%.20q", no)
	}
	for v, want := range map[string]dl.Version{
		"9.0": {Major: 13}, "8.7": {Major: 12, Minor: 7}, "7.8": {Major: 11, Minor: 8}, "6.5": {Major: 10, Minor: 2}, "6.3": {Major: 10},
		"6.1": {Major: 9, Minor: 1}, "5.0": {Major: 8}, "4.3": {}, "x": {},
	} {
		require.Equal(t, want, ptxRelease(v), v)
	}
}

// What is found stands in the image, and the rest of it makes no difference.
func FuzzPTXHeader(f *testing.F) {
	f.Add([]byte(".version 8.4\n.target sm_90\n"))
	f.Add([]byte("\x00.version 8.4"))
	f.Fuzz(func(t *testing.T, image []byte) {
		version, target, ok := ptxHeader(image)
		if !ok {
			return
		}
		require.Contains(t, string(image), version)
		require.Contains(t, string(image), target)
		ptxRelease(version)
	})
}

// A Close waits for the calls under way, lets in no more, and runs its end once.
func TestLifetime(t *testing.T) {
	var l lifetime
	require.True(t, l.enter())
	closed, ran := make(chan struct{}), 0
	for range 2 {
		go func() {
			_ = l.close(func() error { ran++; return nil })
			closed <- struct{}{}
		}()
	}
	for !l.closed() {
	}
	require.False(t, l.enter())
	select {
	case <-closed:
		t.Fatal("closed with a call under way")
	default:
	}
	l.leave()
	<-closed
	<-closed
	require.Equal(t, 1, ran)
	require.False(t, l.enter())
	require.NoError(t, l.close(func() error { panic("a second end") }))
}
