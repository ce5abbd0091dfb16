package nvrtc_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// The hint for a header of CUDA's names the packages that have it.
func TestHeadersOfPackages(t *testing.T) {
	hint := func(version dl.Version, path, header string) string {
		fake := nvrtctest.New(nvrtctest.Config{Version: version, Path: path, Compile: func(c *nvrtctest.Compile) {
			c.Result, c.Log = nvrtc.Compilation, fmt.Sprintf("k.cu(1): catastrophic error: could not open source file \"%s\"\n", header)
		}})
		c, err := nvrtc.Bind(fake)
		require.NoError(t, err)
		p, err := c.NewProgram("", nvrtc.ProgramConfig{})
		require.NoError(t, err)
		defer p.Close()
		var refused *nvrtc.CompileError
		require.ErrorAs(t, p.Compile(context.Background()), &refused)
		require.Len(t, refused.Hints, 1)
		return refused.Hints[0]
	}
	const debian, wheel, windows = "/usr/lib/x86_64-linux-gnu/libnvrtc.so", "/venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", `C:\toolkit\bin\nvrtc64_120_0.dll`
	for _, c := range []struct {
		version     dl.Version
		path        string
		header      string
		want, never string
	}{
		{dlVersion(12, 4), debian, "cuda_fp16.h", `(Debian and Ubuntu: nvidia-cuda-dev, if it is of this version; pip: "nvidia-cuda-runtime-cu12==12.4.*")`, "?"},
		{dlVersion(11, 8), debian, "cuda_bf16.h", `pip: "nvidia-cuda-runtime-cu11==11.8.*"`, "?"},
		{dlVersion(11, 2), debian, "cuda_fp16.h", `(Debian and Ubuntu: nvidia-cuda-dev, if it is of this version)`, "pip"},
		{dlVersion(13, 0), debian, "cuda_fp16.h", `pip: "nvidia-cuda-runtime==13.0.*"`, "cu13"},
		{dlVersion(12, 4), wheel, "cuda_fp16.h", `(pip: "nvidia-cuda-runtime-cu12==12.4.*")`, "Debian"},
		{dlVersion(12, 4), windows, "cuda_fp16.h", `(pip: "nvidia-cuda-runtime-cu12==12.4.*")`, "Debian"},
		{dlVersion(11, 2), windows, "cuda_fp16.h", `install them from where it came, or give their folder with -I`, "pip"},
		{dlVersion(12, 4), wheel, "cub/cub.cuh", `pip: "nvidia-cuda-cccl-cu12==12.4.*"`, "Debian"},
		{dlVersion(13, 1), wheel, "nv/target", `pip: "nvidia-cuda-cccl==13.1.*"`, "Debian"},
		{dlVersion(12, 4), wheel, "curand_kernel.h", `pip: "nvidia-curand-cu12"`, "Debian"},
		{dlVersion(12, 4), wheel, "crt/mma.h", `pip: "nvidia-cuda-nvcc-cu12==12.4.*"`, "Debian"},
		{dlVersion(13, 0), wheel, "crt/mma.h", `pip: "nvidia-cuda-crt==13.0.*"`, "Debian"},
	} {
		got := hint(c.version, c.path, c.header)
		assert.Contains(t, got, c.header+" is one of CUDA's headers, and those of CUDA "+c.version.String()+" are not where this NVRTC is")
		assert.Contains(t, got, c.want, "%v", c)
		assert.NotContains(t, got, c.never, "%v", c)
	}
}

// An -I that names no folder is found where a header is not.
func TestFoldersThatAreNone(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{})
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine.h"), nil, 0o600))
	for want, options := range map[string][]string{
		`options[1] "-I` + dir + `/nope": there is no folder "` + dir + `/nope"`: {"-w", "-I" + dir + "/nope"},
		`options[0] "-I" "~/include": there is no folder "~/include"`:            {"-I", "~/include"},
		`has quotes, which belong to the folder's name here`:                     {`-I"` + dir + `"`},
		`a header is looked for in memory, then, `:                               {"-I" + filepath.Dir(dir)},
	} {
		err := refusedBy(t, c, "#include \"mine.h\"", nvrtc.ProgramConfig{}, options...)
		assert.ErrorContains(t, err, want)
	}
	assert.NoError(t, func() error {
		p, err := c.NewProgram("#include \"mine.h\"", nvrtc.ProgramConfig{})
		require.NoError(t, err)
		defer p.Close()
		return p.Compile(context.Background(), "-I"+dir)
	}())
}

// Several options in one element, as on a command line: NVRTC takes them for
// one, often without a word, so that the fault shows elsewhere.
func TestSeveralOptionsInOne(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{})
	const source = "#include <no.h>"
	for element, pieces := range map[string]string{
		"-I /usr/include -DX=1":          `"-I/usr/include", "-DX=1"`,
		"-I/usr/include -I /opt":         `"-I/usr/include", "-I/opt"`,
		"-DX=1 -DY=2":                    `"-DX=1", "-DY=2"`,
		"-D X=1  -w":                     `"-DX=1", "-w"`,
		"-arch=sm_70 -DX=1":              `"-arch=sm_70", "-DX=1"`,
		"--std c++17 --use_fast_math":    `"--std=c++17", "--use_fast_math"`,
		"-G -lineinfo":                   `"-G", "-lineinfo"`,
		"-O3 -arch sm_70":                `"-O3", "-arch=sm_70"`,
		"-lineinfo -Xptxas -v":           `"-lineinfo", "-Xptxas", "-v"`,
		"-DX=1 -O2":                      `"-DX=1", "-O2"`,
		"-fmad=false\t-DX":               `"-fmad=false", "-DX"`,
		" --define-macro X=1 -DY=\"2\" ": `"--define-macro=X=1", "-DY=\"2\""`,
	} {
		err := refusedBy(t, c, source, nvrtc.ProgramConfig{}, "-w", element)
		assert.ErrorContains(t, err, fmt.Sprintf("hint: options[1] %q holds several options, and each is an element of its own: %s", element, pieces), "%s", c.Version())
	}
	for _, element := range []string{"-DX=a - b", "-DX=1", "-I/a b", "-DX=a -b"} {
		err := refusedBy(t, c, source, nvrtc.ProgramConfig{}, element)
		assert.NotContains(t, err.Error(), "several options", element)
	}
}

func TestArchitecturesMisspelled(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	for _, c := range nvrtctest.Reals() {
		for want, options := range map[string][]string{
			"hint: write sm_86 or compute_86":          {"-arch=sm86"},
			"write sm_75 or compute_75":                {"--gpu-architecture", "7.5"},
			"(-arch); hint: write sm_86 or compute_86": {"-arch=86"},
			"hint: write sm_80 or compute_80":          {"-arch=SM_80"},
			`-arch takes "-DX=1" for its value`:        {"-arch", "-DX=1"},
			"native is for nvcc alone; NVRTC ":         {"-arch=native"},
			"knows compute_":                           {"-arch=sm_33"},
			"PTX for compute_":                         {"-arch=sm_999"},
			"-lineinfo takes no value":                 {"-lineinfo true"},
			`"-arch", "sm_70" or "-arch=sm_70"`:        {"-arch sm_70"},
			"with = before the value: \"-std=c++17":    {"-std c++17"},
		} {
			err := refusedBy(t, c, "", nvrtc.ProgramConfig{}, options...)
			assert.ErrorContains(t, err, want, "%s %q", c.Version(), options)
			assert.Equal(t, 1, strings.Count(err.Error(), "hint: "))
		}
	}
}
