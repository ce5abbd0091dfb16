package nvrtc_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

func TestCanonicalOptions(t *testing.T) {
	for _, row := range []struct{ want, spellings [][]string }{
		{[][]string{{"--gpu-architecture=sm_70"}}, [][]string{{"-arch=sm_70"}, {"--gpu-architecture=sm_70"}, {"-arch", "sm_70"}, {"--gpu-architecture", "sm_70"}, {" -arch=sm_70"}, {"-arch=sm_70 "}, {"\t-arch", " sm_70\n"}, {"-arch ", "sm_70"}}},
		{[][]string{{"--define-macro=X=1"}}, [][]string{{"-DX=1"}, {"-DX"}, {"-D", " X"}, {"--define-macro", "X"}, {"-D", "X=1"}, {"-D=X=1"}, {"-D X=1"}, {"--define-macro=X=1"}, {"--define-macro", "X=1"}}},
		{[][]string{{"--include-path=a b"}}, [][]string{{"-Ia b"}, {"-I", "a b"}, {"-I=a b"}, {"--include-path", "a b"}}},
		{[][]string{{"--std=c++17"}}, [][]string{{"-std=c++17"}, {"--std=c++17"}}},
		{[][]string{{"--device-debug", "--fmad=false", "--use_fast_math"}}, [][]string{{"-use_fast_math", "-G", "-fmad=false"}, {"--fmad", "false", "--use_fast_math", "--device-debug"}}},
		{[][]string{{"--relocatable-device-code=true"}}, [][]string{{"-rdc=true"}, {"-rdc", "true"}, {"-dc"}, {"--device-c"}}},
		{[][]string{{"--relocatable-device-code=false"}}, [][]string{{"-rdc=false"}, {"-dw"}, {"--device-w"}}},
		{[][]string{{"--gpu-architecture"}}, [][]string{{"-arch"}}},
		{[][]string{{"--pre-include=-G"}}, [][]string{{"-include", "-G"}}},
		// What isn't known, or not spelled as NVRTC reads it, stays.
		{[][]string{{"-std", "c++17"}}, [][]string{{"-std", "c++17"}}},
		{[][]string{{"-arch sm_70"}}, [][]string{{"-arch sm_70"}}},
		{[][]string{{"", "-", "-O3", "-G=1", "--new-thing=x", "-ARCH=sm_70", "--arch=sm_70", "-arch =x"}}, [][]string{{"", "-", "-O3", "-G=1", "--new-thing=x", "-ARCH=sm_70", "--arch=sm_70", "-arch =x"}}},
		// The order stays where it counts, among -I and among -D and -U, and all of it where something isn't known.
		{[][]string{{"--gpu-architecture=sm_70", "--include-path=b", "--include-path=a"}}, [][]string{{"-Ib", "-Ia", "-arch=sm_70"}, {"-Ib", "-arch=sm_70", "-Ia"}, {"-arch=sm_70", "-Ib", "-Ia"}}},
		{[][]string{{"--define-macro=X=1", "--undefine-macro=X", "--define-macro=X=2", "--std=c++17"}}, [][]string{{"-DX", "-UX", "-std=c++17", "-DX=2"}}},
		{[][]string{{"--std=c++17", "--new", "--define-macro=X=1", "--gpu-architecture"}}, [][]string{{"-std=c++17", "--new", "-DX", "-arch"}}},
		{[][]string{{"--std=c++17", "--define-macro=X=1", "--gpu-architecture"}}, [][]string{{"-std=c++17", "-DX", "-arch"}}},
	} {
		for _, args := range row.spellings {
			got := nvrtc.ParseOptions(args).Canonical()
			assert.Equal(t, row.want[0], got, "%q", args)
			assert.Equal(t, got, nvrtc.ParseOptions(got).Canonical())
		}
	}
	assert.Empty(t, nvrtc.ParseOptions(nil).Canonical())
}

func TestFindInOptions(t *testing.T) {
	list := nvrtc.ParseOptions([]string{"-Isub/sm_99", "-DARCH=sm_50", "-arch", "sm_90a", "--std=c++14", "-arch=sm_70"})
	arch, ok := list.Arch()
	assert.True(t, ok)
	assert.Equal(t, "sm_70", arch.String(), "the last one, and none that only looks like it")
	assert.Equal(t, "c++14", list.Std())
	o, ok := list[:4].Find("--gpu-architecture")
	assert.True(t, ok)
	assert.Equal(t, nvrtc.Option{Name: "--gpu-architecture", Value: "sm_90a", Has: true, Args: []string{"-arch", "sm_90a"}, Index: 2}, o)
	_, ok = nvrtc.ParseOptions([]string{"-arch=native"}).Arch()
	assert.False(t, ok)
	_, ok = nvrtc.ParseOptions([]string{"-Isub/sm_99", "-DX=--gpu-architecture=sm_70"}).Arch()
	assert.False(t, ok)
	assert.Empty(t, nvrtc.ParseOptions([]string{"-std", "c++17"}).Std())
}

func TestOptionsAsAStruct(t *testing.T) {
	assert.Empty(t, nvrtc.Options{}.Args())
	o := nvrtc.Options{
		Arch: nvrtc.Real(9, 0), Std: "c++20", Define: []nvrtc.Macro{{Name: "B", Value: "2 3"}, {Name: "A"}}, Undefine: []string{"C"}, Include: []string{"x y", "z"}, PreInclude: []string{"p.h"},
		FastMath: true, FTZ: nvrtc.On, PrecSqrt: nvrtc.Off, PrecDiv: nvrtc.On, FMAD: nvrtc.Off, MaxRegisters: 32, Restrict: true, DeviceDebug: true, LineInfo: true,
		Relocatable: true, LinkTime: true, DefaultDevice: true, NoWarnings: true, PTXAS: []string{"-v"}, SuppressNumber: []int{177}, Raw: []string{" -raw ", ""},
	}
	args := o.Args()
	assert.Equal(t, []string{
		"--gpu-architecture=sm_90", "--std=c++20", "--define-macro=B=2 3", "--define-macro=A", "--undefine-macro=C", "--include-path=x y", "--include-path=z", "--pre-include=p.h",
		"--use_fast_math", "--ftz=true", "--prec-sqrt=false", "--prec-div=true", "--fmad=false", "--maxrregcount=32", "--restrict", "--device-debug", "--generate-line-info",
		"--relocatable-device-code=true", "--dlink-time-opt", "--device-as-default-execution-space", "--disable-warnings", "--ptxas-options=-v", "--diag-suppress=177", " -raw ", "",
	}, args)
	assert.Equal(t, args, o.Args(), "pure")
	spelled := slices.Clone(args)
	spelled[3] += "=1"
	assert.Equal(t, spelled, nvrtc.ParseOptions(args).Canonical(), "long names, one element each")
}

// TestNVRTCReadsOptionsAsWeDo compiles every spelling, and its canonical form,
// with real NVRTCs: both are taken, or both refused.
func TestNVRTCReadsOptionsAsWeDo(t *testing.T) {
	nvrtctest.Real(t, dlVersion(0, 0))
	for _, c := range nvrtctest.Reals() {
		for _, args := range [][]string{
			{"-arch=compute_80"}, {"-arch", "compute_80"}, {"\t--gpu-architecture", " compute_80 "}, {" -std=c++11"}, {"-D", " Q=1"}, {"-D=Q"}, {"-D Q=1"}, {"-I=/tmp"}, {"-I /tmp"}, {"-U", "Q"}, {"-UQ"},
			{"-fmad", "false"}, {"-maxrregcount", "32"}, {"-rdc", "true"}, {"-opt-info=inline"}, {"-diag-suppress", "177"}, {"-w"}, {"-lineinfo"}, {"-use_fast_math"}, {"-default-device"},
			{"-std", "c++17"}, {"-arch compute_80"}, {"-arch =compute_80"}, {"-arch= compute_80"}, {"-fmad= true"}, {"-G=1"}, {"--arch=compute_80"}, {"-ARCH=compute_80"}, {"-arch"}, {"-opt-info", "inline"}, {""}, {"-"}, {"foo"}, {"-Ofoo"},
		} {
			canonical := nvrtc.ParseOptions(args).Canonical()
			assert.Equal(t, taken(t, c, args), taken(t, c, canonical), "%s: %q and %q", c.Version(), args, canonical)
		}
	}
}

// TestNVRTCTakesTheLastOfTwo or refuses both.
func TestNVRTCTakesTheLastOfTwo(t *testing.T) {
	everyReal(t, func(t *testing.T, c *nvrtc.Compiler) {
		p, err := c.NewProgram("#if __cplusplus > 201500\nextern \"C\" __global__ void k17() {}\n#endif\n", nvrtc.ProgramConfig{})
		require.NoError(t, err)
		defer p.Close()
		args := []string{"-arch=compute_80", "-std=c++14", "--gpu-architecture", "compute_86", "--std=c++17"}
		err = p.Compile(context.Background(), args...)
		if !c.Version().AtLeast(12, 5) {
			require.ErrorContains(t, err, "defined more than once")
			return
		}
		require.NoError(t, err)
		arch, _ := nvrtc.ParseOptions(args).Arch()
		ptx, err := p.PTX()
		require.NoError(t, err)
		assert.Contains(t, ptx, fmt.Sprintf(".target sm_%d", arch.Number()))
		assert.Contains(t, ptx, "k17")
	})
}

func taken(t *testing.T, c *nvrtc.Compiler, args []string) bool {
	p, err := c.NewProgram("", nvrtc.ProgramConfig{})
	require.NoError(t, err)
	defer p.Close()
	return p.Compile(context.Background(), args...) == nil
}

func FuzzOptions(f *testing.F) {
	f.Add("-arch=sm_70", "-D", "X=1", "-Ifolder")
	f.Add(" --std=c++17\t", "-I=", "=", "-D=")
	f.Add("-include", "", "-", "-Xptxas")
	f.Add("--gpu-architecture", "-arch", "-std", "-I\v=x")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		args := []string{a, b, c, d}
		list := nvrtc.ParseOptions(args)
		var elements []string
		for _, o := range list {
			if o.Index != len(elements) {
				t.Fatalf("%+v has the wrong index", o)
			}
			elements = append(elements, o.Args...)
		}
		if !slices.Equal(elements, args) {
			t.Fatalf("%q became %q", args, elements)
		}
		canonical := list.Canonical()
		again := nvrtc.ParseOptions(canonical)
		if !slices.Equal(again.Canonical(), canonical) {
			t.Fatalf("%q, then %q", canonical, again.Canonical())
		}
		if fmt.Sprint(list.Arch()) != fmt.Sprint(again.Arch()) || list.Std() != again.Std() {
			t.Fatalf("%q means something else than %q", canonical, args)
		}
		if arch, ok := list.Arch(); ok {
			if parsed, err := nvrtc.ParseArch(arch.String()); err != nil || parsed != arch {
				t.Fatalf("%v is %v, %v", arch, parsed, err)
			}
		}
	})
}
