package nvrtc_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// What a hint hangs on are words of NVRTC's, which change: here the NVRTCs that
// are on the machine say them.
func TestHintsOfRealCompilers(t *testing.T) {
	const kernel = "__global__ void k(int n) {}"
	nvrtctest.Real(t, dl.Version{})
	for _, row := range []struct {
		name, source string
		options      []string
		exports      []string
		want         string // in the error
		since        dl.Version
	}{
		{name: "template extern C", source: `extern "C" template <class T> __global__ void k(T x) {}`, want: `hint: a template can't be extern "C"`},
		{name: "texture", source: "texture<float, 1> t;", want: "hint: texture references are gone from CUDA 12.0 on", since: dl.Version{Major: 12}},
		{name: "another type", source: "__global__ void k() { float16_t x; }", want: "hint: float16_t is no type here: write __half, of cuda_fp16.h"},
		{name: "std", options: []string{"-DA", "-std=c++99"}, want: "; hint: spell it -std=c++11"},
		{name: "std by its element", options: []string{"-DA", "-std=c++99"}, want: `options[1] "-std=c++99": invalid value for --std`},
		{name: "macro without a name", options: []string{"-arch=compute_80", "-D"}, want: `options[1] "-D": invalid macro definition; hint: -D wants a name`},
		{name: "macro that is none", options: []string{"-DA=1", "-D1x"}, want: `options[1] "-D1x": invalid macro definition: 1x; hint: -D wants a name`},
		{name: "macro in two elements", options: []string{"-DA=1", "-D", "1x"}, want: `options[1] "-D" "1x": invalid macro definition: 1x; hint: -D wants a name`},
		{name: "arch takes the next", options: []string{"-arch", "-G"}, want: `hint: -arch takes "-G" for its value, since that is the next element`},
		{name: "arch without sm", options: []string{"-arch=86"}, want: "hint: write sm_86 or compute_86"},
		{name: "arch of nvcc", options: []string{"-arch=native"}, want: "hint: native is for nvcc alone; NVRTC "},
		{name: "newer arch", options: []string{"-arch=compute_990"}, want: " runs on newer devices too"},
		{name: "march", options: []string{"-march=sm_80"}, want: "hint: the option is called -arch"},
		{name: "export that is called", source: kernel, exports: []string{"k()"}, want: `export "k()": `},
		{name: "export that is called", source: kernel, exports: []string{"k()"}, want: "hint: an export is a kernel's name, without parentheses"},
		{name: "export with its result", source: kernel, exports: []string{"void k"}, want: "hint: an export is a kernel's name, without its result"},
		{name: "export of a function", source: "__device__ int f() { return 1; }", exports: []string{"f"}, want: "hint: an export of a function is a kernel: declare it __global__"},
	} {
		for _, c := range nvrtctest.Reals() {
			if c.Version().Compare(row.since) < 0 {
				continue
			}
			p, err := c.NewProgram(row.source, nvrtc.ProgramConfig{Name: "k.cu", Exports: row.exports})
			require.NoError(t, err)
			err = p.Compile(context.Background(), row.options...)
			assert.ErrorContains(t, err, row.want, "%s, NVRTC %v", row.name, c.Version())
			require.NoError(t, p.Close())
		}
	}
}
