//go:build linux && (amd64 || arm64)

package dl

import (
	"encoding/binary"
	"errors"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/ebitengine/purego"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// It calls toupper with one argument, and memcpy-like pread with four, so that
// what a stub passes on can be seen.
const callerC = `
	#include <unistd.h>
	#include <stdint.h>
	int toupper(int); // ctype.h would put its own code here
	int up(int c) { return toupper(c); }
	long get(int fd, void *p, uintptr_t n, long at) { return pread(fd, p, n, at); }
`

func up(t *testing.T, l *Library, c int) int {
	t.Helper()
	f, err := l.Lookup("up")
	require.NoError(t, err)
	return int(int32(f.Call(uintptr(c))))
}

func TestRedirect(t *testing.T) {
	for name, flags := range map[string][]string{
		"lazy":    {"-fno-builtin", "-Wl,-z,lazy"},
		"relro":   {"-fno-builtin", "-Wl,-z,relro,-z,now"},
		"no-plt":  {"-fno-builtin", "-fno-plt", "-Wl,-z,relro,-z,now"},
		"norelro": {"-fno-builtin", "-fno-plt", "-Wl,-z,norelro"},
	} {
		t.Run(name, func(t *testing.T) {
			l := buildC(t, callerC, flags...)
			other := buildC(t, callerC, flags...)
			writable := writablePages(t, l)
			redirect := Redirect{Symbol: "toupper", Zero: []int{'0', '1', 63}}
			require.NoError(t, l.Redirect(redirect))
			require.NoError(t, l.Redirect(redirect), "again")
			assert.Equal(t, writable, writablePages(t, l), "a page was left writable")

			for c := range 300 {
				want := c
				switch {
				case c == '0' || c == '1' || c == 63:
					want = 0
				case c >= 'a' && c <= 'z':
					want = c - 32
				}
				assert.Equal(t, want, up(t, l, c), "%d", c)
			}
			assert.Equal(t, -1, up(t, l, -1))
			assert.Equal(t, '0', rune(up(t, other, '0')), "another library still reaches the function")
			assert.EqualValues(t, '0', symbolFunc(t, "toupper").Call('0'), "and so does everybody else")

			err := l.Redirect(Redirect{Symbol: "toupper", Zero: []int{5}})
			assert.ErrorContains(t, err, "its slot for toupper holds", "redirected otherwise before")
		})
	}
}

// A call that is not turned away arrives with all its arguments.
func TestRedirectPassesOn(t *testing.T) {
	l := buildC(t, callerC, "-fno-builtin")
	get, err := l.Lookup("get")
	require.NoError(t, err)
	f, err := os.Open("/proc/self/exe")
	require.NoError(t, err)
	defer f.Close()
	require.Less(t, int(f.Fd()), 60)
	require.NoError(t, l.Redirect(Redirect{Symbol: "pread", Zero: []int{63, int(f.Fd()) + 1}}))
	buf := make([]byte, 3)
	assert.EqualValues(t, 3, get.Call(f.Fd(), bytesAddr(buf), 3, 1))
	assert.Equal(t, "ELF", string(buf))
	assert.EqualValues(t, 0, get.Call(f.Fd()+1, bytesAddr(buf), 3, 1))
	assert.EqualValues(t, -1, int64(get.Call(f.Fd()+1000, bytesAddr(buf), 3, 1)), "EBADF of the real one")
	runtime.KeepAlive(buf)
}

func TestRedirectRefuses(t *testing.T) {
	l := buildC(t, callerC, "-fno-builtin")
	for want, r := range map[string]Redirect{
		"it does not import setrlimit":          {Symbol: "setrlimit", Zero: []int{3}},
		"only 0 to 63 can be told apart":        {Symbol: "toupper", Zero: []int{64}},
		"toupper: a first argument of -1: only": {Symbol: "toupper", Zero: []int{-1}},
	} {
		assert.ErrorContains(t, l.Redirect(r), want)
	}
	err := l.Redirect(Redirect{Symbol: "toupper", Zero: []int{'0'}}, Redirect{Symbol: "setrlimit"})
	require.ErrorContains(t, err, "dl: redirect calls of "+l.Path())
	assert.Equal(t, '0', rune(up(t, l, '0')), "all or nothing")

	t.Run("lazy", func(t *testing.T) { // the slot holds the way to the dynamic linker yet
		h, err := purego.Dlopen(buildCFile(t, callerC, "-fno-builtin", "-Wl,-z,lazy"), purego.RTLD_LAZY)
		require.NoError(t, err)
		l := &Library{path: "lazy", handle: h}
		if err := l.Redirect(Redirect{Symbol: "toupper", Zero: []int{'0'}}); err != nil {
			assert.ErrorContains(t, err, "its slot for toupper holds")
			assert.Equal(t, '0', rune(up(t, l, '0')))
		} else {
			assert.NotEmpty(t, os.Getenv("LD_BIND_NOW"))
		}
	})
	t.Run("not a library", func(t *testing.T) {
		assert.Error(t, (&Library{path: "none", handle: 0}).Redirect(Redirect{Symbol: "toupper"}))
	})
}

// Calls on other threads while the slot changes get the one answer or the other.
func TestRedirectBesideCalls(t *testing.T) {
	l := buildC(t, callerC, "-fno-builtin", "-Wl,-z,relro,-z,now")
	f, err := l.Lookup("up")
	require.NoError(t, err)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		wg.Go(func() {
			for seen := uintptr('0'); ; {
				select {
				case <-stop:
					assert.Zero(t, f.Call('0'))
					return
				default:
				}
				got := f.Call('0')
				if got != 0 && got != seen {
					t.Errorf("%d after %d", got, seen)
					return
				}
				seen = got
			}
		})
	}
	for range 20 {
		require.NoError(t, l.Redirect(Redirect{Symbol: "toupper", Zero: []int{'0', '1', 63}}))
	}
	close(stop)
	wg.Wait()
}

// writablePages counts the pages of l's file that are mapped writable. What else the process maps comes and goes beside
// a test: thread stacks, Go's heap.
func writablePages(t *testing.T, l *Library) (pages int) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	seen := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasSuffix(line, " "+l.Path()) {
			continue
		}
		seen = true
		m, err := parseMaps([]byte(line))
		require.NoError(t, err)
		if m[0].prot&syscall.PROT_WRITE != 0 {
			pages += int(m[0].end-m[0].start) >> 12
		}
	}
	require.True(t, seen, "%s is not mapped", l.Path())
	return pages
}

func TestParseMaps(t *testing.T) {
	m, err := parseMaps([]byte("1000-3000 r-xp 00000000 08:01 12 /bin/x y\n3000-4000 rw-p 00000000 00:00 0\n5000-6000 ---p 0 00:00 0\n"))
	require.NoError(t, err)
	assert.Equal(t, mappings{{0x1000, 0x3000, syscall.PROT_READ | syscall.PROT_EXEC}, {0x3000, 0x4000, syscall.PROT_READ | syscall.PROT_WRITE}, {0x5000, 0x6000, 0}}, m)
	for addr, start := range map[uintptr]uintptr{0xfff: 0, 0x1000: 0x1000, 0x2fff: 0x1000, 0x3000: 0x3000, 0x4000: 0, 0x5fff: 0x5000, 0x6000: 0} {
		assert.Equal(t, start, m.find(addr).start, "%#x", addr)
	}
	for _, r := range [][2]uintptr{{0xff8, 16}, {0x3ff8, 16}, {0x5000, 8}, {0, 8}, {^uintptr(0) - 3, 8}, {0x1000, 1 << 40}} {
		_, err := m.view(r[0], r[1])
		assert.Error(t, err, "%#x", r)
	}
	b, err := m.view(0x2ff8, 16) // over the border of two
	require.NoError(t, err)
	assert.Len(t, b, 16)
	for _, bad := range []string{"x", "1000 r-xp", "2000-1000 r-xp 0", "1000-2000 r", "2000-3000 r--p 0\n1000-2000 r--p 0\n"} {
		_, err := parseMaps([]byte(bad))
		assert.Error(t, err, bad)
	}
}

// image is a memory of bytes that begin at address 0x10000.
type image []byte

const imageBase = 0x10000

func (m image) view(addr, n uintptr) ([]byte, error) {
	if addr < imageBase || n > uintptr(len(m)) || addr-imageBase > uintptr(len(m))-n {
		return nil, errors.New("outside")
	}
	return m[addr-imageBase:][:n], nil
}

// sampleImage is a library with one import, its addresses as musl leaves them.
func sampleImage() image {
	m := make(image, 0x200)
	put := binary.LittleEndian.PutUint64
	for i, d := range [][2]uint64{{dtStrTab, 0x100}, {dtStrSz, 8}, {dtSymTab, 0x120}, {dtJmpRel, 0x180}, {dtPltRelSz, 24}, {dtPltRel, dtRela}, {dtNull, 0}} {
		put(m[16*i:], d[0])
		put(m[16*i+8:], d[1])
	}
	copy(m[0x100:], "\x00signal\x00")
	m[0x120+24] = 1 // symbol 1 is named at 1
	put(m[0x180:], 0x1f0)
	put(m[0x188:], 1<<32|uint64(slotRelocations[1]))
	return m
}

func TestImportSlots(t *testing.T) {
	m := sampleImage()
	slots, err := importSlots(m, imageBase, imageBase, "signal")
	require.NoError(t, err)
	assert.Equal(t, []uintptr{imageBase + 0x1f0}, slots)
	for _, name := range []string{"signa", "signals", "ignal", ""} {
		slots, err := importSlots(m, imageBase, imageBase, name)
		assert.NoError(t, err)
		assert.Empty(t, slots, name)
	}
	_, err = importSlots(m[:0x100], imageBase, imageBase, "signal")
	assert.ErrorContains(t, err, "its names: outside")
	_, err = importSlots(m, imageBase, 8, "signal")
	assert.ErrorContains(t, err, "its dynamic section: outside")
}

// Whatever lies in memory: no panic, no endless loop, and nothing read outside.
func FuzzImportSlots(f *testing.F) {
	f.Add([]byte(sampleImage()), uint16(0))
	f.Fuzz(func(t *testing.T, data []byte, dynamic uint16) {
		slots, err := importSlots(image(data), imageBase, imageBase+uintptr(dynamic), "signal")
		if err == nil && len(slots) > len(data)/24*2 {
			t.Errorf("%d slots from %d bytes", len(slots), len(data))
		}
	})
}

func FuzzParseMaps(f *testing.F) {
	f.Add([]byte("1000-3000 r-xp 00000000 08:01 12 /bin/x\n3000-4000 rw-p 0\nffffffffff600000-ffffffffff601000 --xp 0"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseMaps(text)
		if err != nil {
			return
		}
		for _, at := range m {
			if m.find(at.start) != at || m.find(at.end-1) != at {
				t.Errorf("%x is not found in %x", at, m)
			}
		}
	})
}
