//go:build linux || darwin

package compile

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
)

// TestChangesBehindAnOldTime: a header that was read long ago is changed, and its
// size and time are as they were, as who unpacks an archive leaves them.
func TestChangesBehindAnOldTime(t *testing.T) {
	c := double(t, "one", dl.Version{Major: 12, Minor: 4})
	t.Chdir(t.TempDir())
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		require.NoError(t, os.Chtimes(name, old, old))
	}
	r := Request{Compiler: c, Source: "#include \"h.h\"\n"}
	disk := &files{} // remembers all at once
	seen := map[cache.Key]string{}
	differs := func(what string) {
		t.Helper()
		k, _, err := keyOf(context.Background(), disk, &r, nil)
		require.NoError(t, err)
		assert.Empty(t, seen[k], what)
		seen[k] = what
	}
	write("h.h", "1")
	differs("the first")
	require.Len(t, disk.known, 1)
	time.Sleep(50 * time.Millisecond) // more than a tick of the clock that files go by
	write("h.h", "2")
	differs("written over")
	write("other", "3")
	require.NoError(t, os.Rename("other", "h.h"))
	differs("another in its place")
}

// TestLinksAndCopies: to #pragma once a link is the file that it leads to, and a copy
// is none.
func TestLinksAndCopies(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	for _, c := range nvrtctest.Reals() {
		t.Chdir(t.TempDir())
		const text = "#pragma once\n#ifdef FIRST\n#define SECOND\n#endif\n#define FIRST\n"
		require.NoError(t, os.WriteFile("a.h", []byte(text), 0o600))
		r := Request{Compiler: c, Name: "k.cu", Source: "#include \"a.h\"\n#include \"b.h\"\n#ifdef SECOND\n__device__ int twice;\n#else\n__device__ int once;\n#endif\n"}
		made := map[string]map[cache.Key]bool{}
		for _, make := range []func() error{
			func() error { return os.Symlink("a.h", "b.h") },
			func() error { return os.Link("a.h", "b.h") },
			func() error { return os.WriteFile("b.h", []byte(text), 0o600) },
		} {
			require.NoError(t, make())
			key := mustKey(t, r)
			e, err := InProcess{}.Run(context.Background(), &r)
			require.NoError(t, err)
			word := "once"
			if strings.Contains(string(e.Image), "twice") {
				word = "twice"
			}
			if made[word] == nil {
				made[word] = map[cache.Key]bool{}
			}
			made[word][key] = true
			require.NoError(t, os.Remove("b.h"))
		}
		assert.Len(t, made["once"], 1)
		assert.Len(t, made["twice"], 1)
		for key := range made["once"] {
			assert.NotContains(t, made["twice"], key)
		}
	}
}
