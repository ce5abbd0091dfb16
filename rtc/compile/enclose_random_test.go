package compile_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/compile"
)

// TestEnclosedAtRandom makes folders of headers that include each other at random,
// those of few names, so that one text means many files. What a real NVRTC makes of
// them in memory is what it makes of them on disk.
func TestEnclosedAtRandom(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	empty, top := t.TempDir(), ""
	names := []string{"a.h", "b.h", "c.h", "d.h", "e.h"}
	compiled, several := 0, 0
	for seed := range uint64(80) {
		rng := rand.New(rand.NewPCG(seed, 7))
		pick := func(list ...string) string { return list[rng.IntN(len(list))] }
		top = t.TempDir()
		// A header includes those behind it alone, which ends.
		text := func(from int) string {
			s := fmt.Sprintf("N(%d)\n", rng.IntN(10_000))
			if rng.IntN(4) == 0 {
				s = "#pragma once\n" + s
			}
			for range rng.IntN(4) {
				if from+1 >= len(names) {
					break
				}
				h := pick("", "", "", "sub/", "../one/") + pick(names[from+1:]...)
				h = pick(`"`+h+`"`, `"`+h+`"`, `<`+h+`>`)
				s += "#if __has_include(" + h + ")\n" + pick("#include ", "%: /**/ include /**/") + h + "\n#endif\n"
			}
			return s
		}
		for range 14 {
			n := rng.IntN(len(names))
			path := filepath.Join(top, pick("one", "two", "two/sub", "one/sub", "src", "src/sub"), names[n])
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, []byte(text(n)), 0o600))
		}
		t.Chdir(top)
		r := &compile.Request{
			Compiler: c, Name: pick("k.cu", "src/k.cu"), Options: []string{"-I" + pick("one", top+"/one"), "-Itwo", "-arch=compute_80"},
			Headers: map[string]string{pick(names...): text(len(names) - 1)},
			Source:  "#define N(x) asm volatile(\"// found \" #x);\nextern \"C\" __global__ void k() {\n" + text(-1) + text(-1) + "\n}\n",
		}
		made := func(r *compile.Request) []string {
			e, err := compile.InProcess{}.Run(context.Background(), r)
			if err != nil {
				return []string{err.Error()}
			}
			compiled++
			return regexp.MustCompile(`// found .*`).FindAllString(string(e.Image), -1)
		}
		want := made(r)
		enclosed, err := compile.Enclose(context.Background(), r, top)
		require.NoError(t, err)
		t.Chdir(empty)
		require.NoError(t, os.RemoveAll(top))
		got := made(enclosed)
		if !assert.Equal(t, want, got, "seed %d", seed) {
			for name, text := range enclosed.Headers {
				t.Log(name, "\n", text)
			}
			t.Log(enclosed.Source)
			return
		}
		for name, text := range enclosed.Headers {
			if filepath.IsAbs(name) && strings.Contains(text, `include /**/"/`) || strings.Contains(text, `#include "/`) && strings.Contains(text, "N(") {
				several++
			}
		}
	}
	assert.Greater(t, compiled, 100)
	t.Logf("%d headers in which a file is named by its whole name", several)
	assert.Positive(t, several)
}
