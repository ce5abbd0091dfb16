package nvrtc_test

import (
	"context"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
)

// spellings are all ways to write one option that the table knows.
func spellings(o nvrtc.OptionSpec, value string) [][]string {
	var all [][]string
	for _, name := range []string{o.Long, o.Short} {
		for _, blank := range []string{"", " ", "\t"} {
			if !o.Takes {
				all = append(all, []string{blank + name + blank})
				continue
			}
			all = append(all, []string{blank + name + "=" + value + blank})
			if o.Apart {
				all = append(all, []string{name + blank, blank + value})
			}
		}
	}
	if o.CloseUp {
		all = append(all, []string{o.Short + value}, []string{o.Short + " " + value}, []string{" " + o.Short + value})
	}
	return all
}

// TestEverySpellingAgrees goes through the whole table: all spellings of an
// option have one canonical form, alone and among others, and no two options
// or values share one.
func TestEverySpellingAgrees(t *testing.T) {
	equivalent := map[string]string{"--device-c": "--relocatable-device-code=true", "--device-w": "--relocatable-device-code=false"}
	seen := map[string]string{}
	for _, o := range nvrtc.OptionSpecs() {
		for _, value := range []string{"v=1", "w=2"} {
			want := nvrtc.ParseOptions(spellings(o, value)[0]).Canonical()
			require.Len(t, want, 1)
			for _, args := range spellings(o, value) {
				assert.Equal(t, want, nvrtc.ParseOptions(args).Canonical(), "%q", args)
				before, after := append([]string{"-lineinfo"}, args...), append(slices.Clone(args), "-lineinfo")
				assert.Equal(t, nvrtc.ParseOptions(before).Canonical(), nvrtc.ParseOptions(after).Canonical(), "%q", before)
			}
			if e, ok := equivalent[o.Long]; ok {
				assert.Equal(t, e, want[0])
			} else if other, taken := seen[want[0]]; taken && (o.Takes || other != o.Long) {
				t.Errorf("%s and %s are both %q", other, o.Long, want[0])
			}
			seen[want[0]] = o.Long
		}
	}
	assert.Greater(t, len(seen), 60)
}

// TestOrderThatCounts holds that what changes a compile changes the canonical
// form.
func TestOrderThatCounts(t *testing.T) {
	for _, pair := range [][2][]string{
		{{"-Ia", "-Ib"}, {"-Ib", "-Ia"}},
		{{"-DX=1", "-DX=2"}, {"-DX=2", "-DX=1"}},
		{{"-DX", "-UX"}, {"-UX", "-DX"}},
		{{"-include", "a", "-include", "b"}, {"-include", "b", "-include", "a"}},
		{{"-diag-suppress=1", "-diag-error=1"}, {"-diag-error=1", "-diag-suppress=1"}},
		{{"-Xptxas=-O1", "-Xptxas=-O2"}, {"-Xptxas=-O2", "-Xptxas=-O1"}},
		{{"-arch=sm_70", "-arch=sm_80"}, {"-arch=sm_80", "-arch=sm_70"}},
		{{"-DX"}, {"-DX="}},
		{{"-DX"}, {"-DX=2"}},
		{{"-DX=1"}, {"-UX"}},
		{{"-dc"}, {"-dw"}},
		{{"-fmad=true"}, {"-fmad=false"}},
		{{"-fmad=true"}, nil},
		{{"-Ia b"}, {"-Ia", "-Ib"}},
	} {
		assert.NotEqual(t, nvrtc.ParseOptions(pair[0]).Canonical(), nvrtc.ParseOptions(pair[1]).Canonical(), "%q", pair)
	}
}

// TestNVRTCCompilesTheCanonicalFormAlike compares what NVRTC makes of options
// and of their canonical form.
func TestNVRTCCompilesTheCanonicalFormAlike(t *testing.T) {
	everyReal(t, func(t *testing.T, c *nvrtc.Compiler) {
		for _, args := range [][]string{
			{"-DX", "-std=c++14", "-arch=compute_80"}, {"-DX(a)"}, {"-D", "X=3", "-UX", "-arch=compute_75", "-DX=4", "-std=c++11"}, {"-dc", "-use_fast_math"}, {"-dw", "-lineinfo"},
			{"-DX=1", "-DX=2"}, {"-DX=", "-fmad=false"}, {"-UX", "-DX", "-rdc=true", "-maxrregcount", "32"}, {"-diag-suppress=177", "-diag-error=177", "-DX"},
		} {
			canonical := nvrtc.ParseOptions(args).Canonical()
			assert.Equal(t, madeBy(t, c, args), madeBy(t, c, canonical), "%q and %q", args, canonical)
		}
	})
}

func madeBy(t *testing.T, c *nvrtc.Compiler, args []string) string {
	p, err := c.NewProgram(`
#define TEXT(x) #x
#define TEXTOF(x) TEXT(x)
__device__ float twice(float x) { int unused; return x * 2 + 1; }
extern "C" __global__ void k(const char **s, float *y) { *s = TEXTOF(X) TEXTOF(__cplusplus); *y = twice(*y) / 3; }`, nvrtc.ProgramConfig{})
	require.NoError(t, err)
	defer p.Close()
	if err := p.Compile(context.Background(), args...); err != nil {
		return "refused"
	}
	ptx, err := p.PTX()
	require.NoError(t, err)
	return regexp.MustCompile(`(?m)^\s*//.*$`).ReplaceAllString(ptx, "")
}

func TestBuild(t *testing.T) {
	seen := map[string]bool{}
	everyReal(t, func(t *testing.T, c *nvrtc.Compiler) {
		build := c.Build()
		assert.Len(t, build, 64)
		assert.False(t, seen[build], "every version is another build")
		seen[build] = true
		assert.Equal(t, build, c.Build())
	})
}
