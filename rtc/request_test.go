package rtc_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/cache"
	service "github.com/purecuda/purecuda/rtc/compile"
)

// What was warmed by requests is what NewModule finds.
func TestRequestsWarmModules(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "disk.h"), []byte("#define TWO 2\n"), 0o600))
	source := "#include \"lib/a.h\"\n#include <disk.h>\ntemplate <class T> __global__ void k(T *x) { *x = ONE + TWO; }"
	for name, config := range map[string]rtc.ModuleConfig{
		"nothing":      {Exports: []string{"k<int>"}, Headers: map[string]string{"lib/a.h": "#include \"b.h\"", "lib/b.h": "#define ONE 1"}, Options: []string{"-I", dir}},
		"name and all": {Name: "n.cu", Exports: []string{"k<float>"}, Headers: map[string]string{"lib/a.h": "#define ONE 1"}, Options: []string{"-I" + dir, "-std=c++14", "-lineinfo"}, CacheExtra: "x"},
		"arch":         {Exports: []string{"k<int>"}, Headers: map[string]string{"lib/a.h": "#define ONE 1"}, Options: []string{"-I" + dir, "-arch=sm_80"}},
	} {
		t.Run(name, func(t *testing.T) {
			config.Compiler = c
			config.Service = service.NewService(service.Config{Store: cache.NewMemory(cache.MemoryConfig{})})
			defer config.Service.Close()
			r, err := config.Request(source, nvrtc.Arch{})
			require.NoError(t, err)
			require.NoError(t, config.Service.Warm(context.Background(), []service.Request{r}, nil))
			mod, err := rtc.NewModule(source, config)
			require.NoError(t, err)
			defer mod.Close()
			assert.Equal(t, rtc.Stats{Cached: 1}, mod.Stats())
		})
	}
}

func TestRequestForAnArch(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	r, err := rtc.ModuleConfig{Compiler: c}.Request("x", nvrtc.Real(8, 6))
	require.NoError(t, err)
	assert.Equal(t, []string{"--gpu-architecture=sm_86", "--std=c++17"}, r.Options)
	assert.Equal(t, "kernel.cu", r.Name)
	r, err = rtc.ModuleConfig{Compiler: c, Options: []string{"-arch=sm_90"}}.Request("x", nvrtc.Real(8, 6))
	require.NoError(t, err)
	assert.Equal(t, []string{"-arch=sm_90", "--std=c++17"}, r.Options)
	_, err = rtc.ModuleConfig{Compiler: c, Options: []string{"-I"}}.Request("x", nvrtc.Arch{})
	require.EqualError(t, err, `rtc: request: options[0], "-I", has no value`)
}
