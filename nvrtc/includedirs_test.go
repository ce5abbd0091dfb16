package nvrtc_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// tree makes files below a new folder: name → text.
func tree(t *testing.T, files map[string]string) string {
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return root
}

func versionLine(macro string, v dl.Version) string {
	return fmt.Sprintf("/* a header */\n#ifndef X\n#define %s %d\n#define CUDA_VERSION_OTHER 1\n#endif\n", macro, v.Major*1000+v.Minor*10)
}

func TestIncludeDirs(t *testing.T) {
	v := dlVersion(12, 4)
	cuda, runtime := versionLine("CUDA_VERSION", v), versionLine("  CUDART_VERSION ", v)
	for name, row := range map[string]struct {
		library string
		files   map[string]string
		want    []string
	}{
		"toolkit": {"cuda-12.4/lib64/libnvrtc.so.12", map[string]string{"cuda-12.4/include/cuda_fp16.h": "", "cuda-12.4/include/cuda.h": cuda}, []string{"cuda-12.4/include"}},
		"targets": {"cuda/targets/x86_64-linux/lib/libnvrtc.so.12", map[string]string{"cuda/targets/x86_64-linux/include/cuda_fp16.h": "", "cuda/targets/x86_64-linux/include/cuda.h": cuda}, []string{"cuda/targets/x86_64-linux/include"}},
		"wheel": {"site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", map[string]string{
			"site-packages/nvidia/cuda_nvrtc/include/nvrtc.h":              "",
			"site-packages/nvidia/cuda_runtime/include/cuda_fp16.h":        "",
			"site-packages/nvidia/cuda_runtime/include/cuda_runtime_api.h": runtime,
		}, []string{"site-packages/nvidia/cuda_runtime/include"}},
		"wheel of CUDA 13, with the core libraries": {"nvidia/cu13/lib/libnvrtc.so.13", map[string]string{"nvidia/cu13/include/cuda_fp16.h": "", "nvidia/cu13/include/cuda.h": cuda, "nvidia/cu13/include/cccl/cuda/std/cstdint": ""}, []string{"nvidia/cu13/include", "nvidia/cu13/include/cccl"}},
		"conda":               {"env/lib/libnvrtc.so.12", map[string]string{"env/include/nvrtc.h": "", "env/targets/x86_64-linux/include/cuda_fp16.h": "", "env/targets/x86_64-linux/include/cuda.h": cuda}, []string{"env/targets/x86_64-linux/include"}},
		"Debian":              {"usr/lib/x86_64-linux-gnu/libnvrtc.so.12", map[string]string{"usr/include/cuda_fp16.h": "", "usr/include/cuda.h": cuda}, []string{"usr/include"}},
		"toolkit for Windows": {"v13.0/bin/x64/nvrtc64_130_0.dll", map[string]string{"v13.0/include/cuda_fp16.h": "", "v13.0/include/cuda.h": cuda}, []string{"v13.0/include"}},
		"wheel for Windows":   {"nvidia/cuda_nvrtc/bin/nvrtc64_120_0.dll", map[string]string{"nvidia/cuda_runtime/include/cuda_fp16.h": "", "nvidia/cuda_runtime/include/cuda.h": cuda}, []string{"nvidia/cuda_runtime/include"}},
	} {
		t.Run(name, func(t *testing.T) {
			root := tree(t, row.files)
			c, _ := bindTo(t, nvrtctest.Config{Version: v, Path: filepath.Join(root, row.library)})
			dirs, err := c.IncludeDirs()
			require.NoError(t, err)
			for i, want := range row.want {
				row.want[i] = filepath.Join(root, want)
			}
			assert.Equal(t, row.want, dirs)
		})
	}
}

func TestIncludeDirsThroughALink(t *testing.T) {
	root := tree(t, map[string]string{"real/lib/libnvrtc.so.12.4.127": "", "real/include/cuda_fp16.h": "", "real/include/cuda.h": versionLine("CUDA_VERSION", dlVersion(12, 4))})
	link := filepath.Join(root, "libnvrtc.so.12")
	if err := os.Symlink(filepath.Join(root, "real/lib/libnvrtc.so.12.4.127"), link); err != nil {
		t.Skip(err)
	}
	c, _ := bindTo(t, nvrtctest.Config{Version: dlVersion(12, 4), Path: link})
	dirs, err := c.IncludeDirs()
	require.NoError(t, err)
	assert.Equal(t, []string{filepath.Join(root, "real", "include")}, dirs)
}

func TestHeadersOfAnotherVersionAreNotTaken(t *testing.T) {
	root := tree(t, map[string]string{
		"usr/lib/x86_64-linux-gnu/libnvrtc.so.12": "",
		"usr/lib/include/cuda_fp16.h":             "",
		"usr/include/cuda_fp16.h":                 "",
		"usr/include/cuda.h":                      versionLine("CUDA_VERSION", dlVersion(11, 8)),
	})
	c, _ := bindTo(t, nvrtctest.Config{Version: dlVersion(12, 4), Path: filepath.Join(root, "usr/lib/x86_64-linux-gnu/libnvrtc.so.12")})
	dirs, err := c.IncludeDirs()
	assert.Empty(t, dirs)
	assert.ErrorIs(t, err, fs.ErrNotExist)
	assert.ErrorContains(t, err, "no headers of CUDA 12.4 belong to "+c.Path())
	assert.ErrorContains(t, err, filepath.Join(root, "usr/include")+": headers of CUDA 11.8")
	assert.ErrorContains(t, err, filepath.Join(root, "usr/lib/include")+": neither cuda.h nor cuda_runtime_api.h says its version")
	assert.ErrorContains(t, err, ": no such folder")
}

func TestHintSaysWhereTheHeadersAre(t *testing.T) {
	for _, version := range []dl.Version{dlVersion(12, 4), dlVersion(12, 5)} {
		root := tree(t, map[string]string{"lib/libnvrtc.so.12": "", "include/cuda_fp16.h": "", "include/cuda.h": versionLine("CUDA_VERSION", version)})
		c, _ := bindTo(t, nvrtctest.Config{Version: dlVersion(12, 4), Path: filepath.Join(root, "lib/libnvrtc.so.12"), Compile: func(c *nvrtctest.Compile) {
			c.Result, c.Log = nvrtc.Compilation, "k.cu(1): catastrophic error: could not open source file \"cuda_fp16.h\" (no directories in search list)\n"
		}})
		p, err := c.NewProgram("", nvrtc.ProgramConfig{})
		require.NoError(t, err)
		err = p.Compile(context.Background())
		if version == c.Version() {
			assert.ErrorContains(t, err, "#include it and give -I"+filepath.Join(root, "include"))
		} else {
			assert.ErrorContains(t, err, "those of CUDA 12.4 are not where this NVRTC is")
			assert.ErrorContains(t, err, filepath.Join(root, "include")+" has those of CUDA 12.5")
		}
	}
}
