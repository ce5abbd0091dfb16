package cache_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

func TestKey(t *testing.T) {
	k := cachetest.Key(0x1234)
	back, err := cache.ParseKey(k.String())
	require.NoError(t, err)
	assert.Equal(t, k, back)
	for _, bad := range []string{"", k.String()[1:], k.String() + "0", "x" + k.String()[1:], k.String()[:62] + "é"} {
		_, err := cache.ParseKey(bad)
		assert.Error(t, err, bad)
	}
}

// The format is stored: these bytes are read for ever, or the version changes.
func TestEncodeIsFixed(t *testing.T) {
	e := &cache.Entry{Kind: cache.CUBIN, Arch: "sm_90", Image: []byte("I"), PTX: []byte("P"), Log: "L", Compiler: "C",
		Lowered: map[string]string{"b": "2", "a": "1"}, Signatures: map[string]string{"k": "s"}}
	data := cache.Encode(cache.Key{1, 2}, e)
	want := "\x89purcu\r\n\x01\x00\x00\x00" + string(data[12:44]) + "\x01\x02" + string(make([]byte, 30)) + "\x02" +
		"\x05\x00\x00\x00sm_90\x01\x00\x00\x00C\x01\x00\x00\x00L\x01\x00\x00\x00I\x01\x00\x00\x00P" +
		"\x02\x00\x00\x00\x01\x00\x00\x00a\x01\x00\x00\x001\x01\x00\x00\x00b\x01\x00\x00\x002" +
		"\x01\x00\x00\x00\x01\x00\x00\x00k\x01\x00\x00\x00s"
	assert.Equal(t, want, string(data))
	sum := sha256.Sum256(data[44:])
	assert.Equal(t, sum[:], data[12:44])
}

// No byte may be lost, added or changed.
func TestDecodeRefuses(t *testing.T) {
	key := cachetest.Key(5)
	data := cache.Encode(key, cachetest.Entry(1, 50))
	refused := func(what string, at int, data []byte) {
		t.Helper()
		e, err := cache.Decode(key, data)
		var damaged *cache.DamagedError
		require.ErrorAs(t, err, &damaged, "%s %d", what, at)
		require.ErrorIs(t, err, cache.ErrMiss)
		require.Nil(t, e)
	}
	for n := range data {
		refused("cut to", n, data[:n])
	}
	for at := range data {
		for bit := range 8 {
			changed := bytes.Clone(data)
			changed[at] ^= 1 << bit
			refused("changed at", at, changed)
		}
		refused("lost at", at, append(bytes.Clone(data[:at]), data[at+1:]...))
		refused("added at", at, append(append(bytes.Clone(data[:at]), 0), data[at:]...))
	}
	refused("longer by", 1, append(bytes.Clone(data), 0))
	_, err := cache.Decode(cachetest.Key(6), data)
	require.ErrorIs(t, err, cache.ErrMiss)
	_, err = cache.Decode(key, data)
	require.NoError(t, err)
}

// FuzzDecode: whatever stands after the sum, nothing panics, and what is read
// is written the same again, so there is one form of each entry.
func FuzzDecode(f *testing.F) {
	key := cachetest.Key(1)
	for n, e := range []*cache.Entry{cachetest.Entry(1, 30), {}, {Lowered: map[string]string{"a": "b", "": "c"}}} {
		data := cache.Encode(key, e)
		f.Add(data[76:], n == 1)
	}
	f.Fuzz(func(t *testing.T, body []byte, raw bool) {
		data := cache.Seal(key, body)
		if raw {
			data = body
		}
		e, err := cache.Decode(key, data)
		if err != nil {
			if !errors.Is(err, cache.ErrMiss) || e != nil {
				t.Fatalf("%v, %v", e, err)
			}
			return
		}
		if again := cache.Encode(key, e); !bytes.Equal(again, data) {
			t.Fatalf("read from\n%x\nwritten as\n%x", data, again)
		}
	})
}
