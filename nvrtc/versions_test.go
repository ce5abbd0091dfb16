package nvrtc_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

var played = []dl.Version{{Major: 7}, {Major: 7, Minor: 5}, {Major: 8}, {Major: 10, Minor: 2}, {Major: 11}, {Major: 11, Minor: 1}, {Major: 11, Minor: 2}, {Major: 11, Minor: 4}, {Major: 12}, {Major: 12, Minor: 8}, {Major: 13}, {Major: 13, Minor: 2}, {Major: 13, Minor: 3}}

// bindTo plays a version, and checks at the end that nothing is left.
func bindTo(t *testing.T, config nvrtctest.Config) (*nvrtc.Compiler, *nvrtctest.NVRTC) {
	fake := nvrtctest.New(config)
	c, err := nvrtc.Bind(fake)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, c.Close())
		fake.Check(t)
	})
	return c, fake
}

// TestEveryFunctionHasItsVersion holds api.txt against the double's own list,
// which was made apart.
func TestEveryFunctionHasItsVersion(t *testing.T) {
	text, err := os.ReadFile("api.txt")
	require.NoError(t, err)
	lines := regexp.MustCompile(`(?m)^(?:raw )?(\d+)\.(\d+) .*\b(nvrtc\w+)\(`).FindAllStringSubmatch(string(text), -1)
	require.Len(t, lines, 31)
	for _, v := range played {
		fake := nvrtctest.New(nvrtctest.Config{Version: v})
		for _, m := range lines {
			major, _ := strconv.Atoi(m[1])
			minor, _ := strconv.Atoi(m[2])
			want := v.AtLeast(major, minor) && !(strings.HasPrefix(m[3], "nvrtcGetNVVM") && v.AtLeast(13, 0))
			_, err := fake.Lookup(m[3])
			assert.Equal(t, want, err == nil, "%s in %s", m[3], v)
		}
	}
}

func TestFeaturesByVersion(t *testing.T) {
	for _, v := range played {
		c, _ := bindTo(t, nvrtctest.Config{Version: v})
		assert.Equal(t, v, c.Version())
		assert.Equal(t, nvrtc.Features{
			Exports:        v.AtLeast(8, 0),
			CUBIN:          v.AtLeast(11, 1),
			SupportedArchs: v.AtLeast(11, 2),
			NVVM:           v.AtLeast(11, 4) && !v.AtLeast(13, 0),
			LTOIR:          v.AtLeast(12, 0),
			OptiXIR:        v.AtLeast(12, 0),
			Cancel:         v.AtLeast(12, 8),
			PCH:            v.AtLeast(12, 8),
			TileIR:         v.AtLeast(13, 2),
			BundledHeaders: v.AtLeast(13, 3),
		}, c.Features(), "%s", v)
	}
}

// TestWhatIsMissingIsSaid calls everything on every version: what the version
// lacks is refused with what is needed and what is there, and the rest works.
func TestWhatIsMissingIsSaid(t *testing.T) {
	for _, v := range played {
		c, _ := bindTo(t, nvrtctest.Config{Version: v})
		p, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{Name: "k.cu"})
		require.NoError(t, err)
		for _, compiled := range []bool{false, true} {
			if compiled {
				require.NoError(t, p.Compile(context.Background()))
			}
			for _, call := range []struct {
				what         string
				major, minor int
				call         func() error
			}{
				{"exports by name expression (nvrtcGetLoweredName)", 8, 0, func() error { _, err := p.LoweredName("k"); return err }},
				{"the list of architectures (nvrtcGetNumSupportedArchs)", 11, 2, func() error { _, err := c.SupportedArchs(); return err }},
				{"SASS (nvrtcGetCUBINSize)", 11, 1, func() error { _, err := p.CUBIN(); return err }},
				{"LTO IR (nvrtcGetLTOIRSize)", 12, 0, func() error { _, err := p.LTOIR(); return err }},
				{"OptiX IR (nvrtcGetOptiXIRSize)", 12, 0, func() error { _, err := p.OptiXIR(); return err }},
				{"Tile IR (nvrtcGetTileIRSize)", 13, 2, func() error { _, err := p.TileIR(); return err }},
				{"a precompiled header (nvrtcGetPCHHeapSize)", 12, 8, func() error { _, err := c.PCHHeapSize(); return err }},
				{"a precompiled header (nvrtcSetPCHHeapSize)", 12, 8, func() error { return c.SetPCHHeapSize(1 << 20) }},
				{"a precompiled header (nvrtcGetPCHCreateStatus)", 12, 8, func() error { _, err := p.PCHCreateStatus(); return err }},
				{"a precompiled header (nvrtcGetPCHHeapSizeRequired)", 12, 8, func() error { _, err := p.PCHHeapSizeRequired(); return err }},
				{"bundled headers (nvrtcGetBundledHeadersInfo)", 13, 3, func() error { _, err := c.BundledHeaders(); return err }},
				{"bundled headers (nvrtcInstallBundledHeaders)", 13, 3, func() error { _, err := c.InstallBundledHeaders(t.TempDir(), nvrtc.InstallConfig{}); return err }},
				{"bundled headers (nvrtcRemoveBundledHeaders)", 13, 3, func() error { return c.RemoveBundledHeaders("/nonexistent") }},
			} {
				err := call.call()
				if v.AtLeast(call.major, call.minor) {
					assert.NotErrorIs(t, err, errors.ErrUnsupported, "%s", v)
					continue
				}
				var missing *nvrtc.UnsupportedError
				require.ErrorAs(t, err, &missing, "%s in %s", call.what, v)
				assert.ErrorIs(t, err, errors.ErrUnsupported)
				assert.Equal(t, nvrtc.UnsupportedError{Feature: call.what, Since: dl.Version{Major: call.major, Minor: call.minor}, Have: v, Path: c.Path()}, *missing)
			}
		}
		require.NoError(t, p.Close())
	}
}

func TestNVVMComesAndGoes(t *testing.T) {
	for v, want := range map[dl.Version]string{
		{Major: 11, Minor: 2}: "nvrtc: NVVM IR of k.cu: NVVM IR (nvrtcGetNVVMSize) needs CUDA 11.4; /nvrtctest/libnvrtc.so.11.2 is 11.2",
		{Major: 13}:           "nvrtc: NVVM IR of k.cu: NVVM IR (nvrtcGetNVVMSize) needs CUDA 11.4 up to 13.0, which dropped it; /nvrtctest/libnvrtc.so.13.0 is 13.0",
	} {
		c, _ := bindTo(t, nvrtctest.Config{Version: v})
		p, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{Name: "k.cu"})
		require.NoError(t, err)
		_, err = p.NVVM()
		assert.EqualError(t, err, want)
	}
}

func TestExportsNeedCUDA8(t *testing.T) {
	for _, v := range played {
		c, fake := bindTo(t, nvrtctest.Config{Version: v})
		p, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{Name: "k.cu", Exports: []string{"one<float>"}})
		if v.AtLeast(8, 0) {
			require.NoError(t, err)
			require.NoError(t, p.Compile(context.Background()))
			name, err := p.LoweredName("one<float>")
			require.NoError(t, err)
			assert.Equal(t, "_Z3oneIfE", name)
			continue
		}
		assert.ErrorIs(t, err, errors.ErrUnsupported)
		assert.ErrorContains(t, err, "nvrtc: new program k.cu: exports by name expression (nvrtcAddNameExpression) needs CUDA 8.0; /nvrtctest/libnvrtc.so."+v.String()+" is "+v.String()+`: leave Exports empty, declare the kernels extern "C"`)
		assert.Nil(t, p)
		assert.Zero(t, fake.Live())
		p, err = c.NewProgram(axpyC, nvrtc.ProgramConfig{})
		require.NoError(t, err)
		require.NoError(t, p.Compile(context.Background()))
		ptx, err := p.PTX()
		require.NoError(t, err)
		assert.Contains(t, ptx, ".entry k()")
	}
}

func TestArchsOfEveryVersion(t *testing.T) {
	newest := map[string]string{"7.0": "compute_53", "7.5": "compute_53", "8.0": "compute_62", "10.2": "compute_75", "11.0": "compute_80", "11.1": "compute_86", "11.2": "compute_86", "12.8": "compute_120"}
	for _, v := range played {
		c, _ := bindTo(t, nvrtctest.Config{Version: v})
		archs := c.KnownArchs()
		require.NotEmpty(t, archs)
		for i, a := range archs {
			assert.Equal(t, nvrtc.VirtualArch, a.Kind)
			assert.True(t, i == 0 || archs[i-1].Compare(a) < 0, "%v", archs)
		}
		if want, ok := newest[v.String()]; ok {
			assert.Equal(t, want, archs[len(archs)-1].String(), "%s", v)
		}
		if v.AtLeast(11, 2) {
			asked, err := c.SupportedArchs()
			require.NoError(t, err)
			assert.Equal(t, asked, archs)
		}
	}
}

func TestBindWithoutAVersion(t *testing.T) {
	_, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{Lacks: []string{"nvrtcVersion"}}))
	assert.ErrorContains(t, err, "nvrtc: bind /nvrtctest/libnvrtc.so.13.3: nvrtcVersion needs CUDA 7.0; /nvrtctest/libnvrtc.so.13.3 is a version that does not say its number")
}

func TestBundledHeaders(t *testing.T) {
	c, _ := bindTo(t, nvrtctest.Config{})
	info, err := c.BundledHeaders()
	require.NoError(t, err)
	assert.Equal(t, nvrtc.BundledHeaders{Available: true, Version: dlVersion(13, 3), Files: 1, Compressed: 100, Uncompressed: 1000}, info)
	folder := filepath.Join(t.TempDir(), "headers")
	dirs, err := c.InstallBundledHeaders(folder, nvrtc.InstallConfig{NoWait: true})
	require.NoError(t, err)
	assert.Equal(t, []string{folder, filepath.Join(folder, "cccl")}, dirs)
	assert.FileExists(t, filepath.Join(folder, "cuda_fp16.h"))
	require.NoError(t, c.RemoveBundledHeaders(folder))
	assert.NoDirExists(t, folder)
	err = c.RemoveBundledHeaders(folder)
	assert.ErrorIs(t, err, nvrtc.InvalidInput)
	assert.ErrorContains(t, err, "cuda_fp16.h", "NVRTC's own words are kept")
	_, err = c.InstallBundledHeaders("a\x00b", nvrtc.InstallConfig{})
	assert.ErrorContains(t, err, "folder: NUL byte at offset 1 of 3")
}

func TestPrecompiledHeaders(t *testing.T) {
	c, _ := bindTo(t, nvrtctest.Config{})
	require.NoError(t, c.SetPCHHeapSize(5<<20))
	size, err := c.PCHHeapSize()
	require.NoError(t, err)
	assert.EqualValues(t, 5<<20, size)
	p, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{})
	require.NoError(t, err)
	for option, want := range map[string]nvrtc.Result{"--pch": nvrtc.Success, "-G": nvrtc.NoPCHCreateAttempted} {
		require.NoError(t, p.Compile(context.Background(), option))
		status, err := p.PCHCreateStatus()
		require.NoError(t, err)
		assert.Equal(t, want, status)
	}
	required, err := p.PCHHeapSizeRequired()
	require.NoError(t, err)
	assert.EqualValues(t, 1<<20, required)
}
