package dl

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each case has the files in the order that they must be tried in.
var orders = []struct {
	name  string
	spec  Spec
	given string
	fake  fake
	want  []string // nil: as fake.files
}{
	{"every step on Linux", NVRTC, "", fake{
		env: map[string]string{"PURECUDA_NVRTC": "/named", "VIRTUAL_ENV": "/venv", "CONDA_PREFIX": "/conda",
			"CUDA_PATH": "/toolkit", "CUDA_HOME": "/older", "LD_LIBRARY_PATH": "/ld:/ld2", "HOME": "/home/u"},
		loaded: []string{"/proc/libnvrtc.so.9.0"},
		loader: []string{"/lib/libnvrtc.so.14"},
		cache:  cacheOf("/cached/libnvrtc.so.11.0", "/cached/libcuda.so.1", "/cached/libnvrtc-builtins.so.12.4"),
		files: []string{
			"/named/libnvrtc.so.10.1",
			"/proc/libnvrtc.so.9.0",
			"/venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13",
			"/venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
			"/conda/lib/libnvrtc.so.11.2",
			"/toolkit/lib64/libnvrtc.so.12.6.1",
			"/older/targets/x86_64-linux/lib/libnvrtc.so.10.2",
			"/ld2/libnvrtc.so.12",
			"/cached/libnvrtc.so.11.0",
			"/ld/libnvrtc.so.8.0",
			"/lib/libnvrtc.so.14",
			"/usr/local/cuda-13.1/lib64/libnvrtc.so.13.1.80",
			"/home/u/.local/lib/python3.9/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
			"/usr/local/cuda-11.8/targets/x86_64-linux/lib/libnvrtc.so.11.8.89",
			"/usr/lib/x86_64-linux-gnu/libnvrtc.so.11.2",
		}}, nil},
	{"one step, newest first whatever the folder", NVRTC, "", fake{ // CASES B03
		env: map[string]string{"CUDA_HOME": "/cuda"},
		files: []string{"/cuda/lib/libnvrtc.so.13", "/cuda/lib64/libnvrtc.so.11.2",
			"/cuda/lib/libnvrtc.alt.so.13", "/cuda/lib/libnvrtc-builtins.so.13.0", "/cuda/lib/libnvrtc.so.13.bak",
			"/cuda/lib/libnvrtc_static.a", "/cuda/lib/xlibnvrtc.so.13", "/cuda/lib/libnvrtc.so.12a"},
	}, []string{"/cuda/lib/libnvrtc.so.13", "/cuda/lib64/libnvrtc.so.11.2"}},
	{"two releases with one name are told apart by what it links to", NVRTC, "", fake{
		links: map[string]string{
			"/usr/local/cuda-11.4/lib64/libnvrtc.so.11.2": "libnvrtc.so.11.4.152",
			"/usr/local/cuda-11.8/lib64/libnvrtc.so.11.2": "libnvrtc.so.11.8.89",
		},
		files: []string{"/usr/local/cuda-11.8/lib64/libnvrtc.so.11.8.89", "/usr/local/cuda-11.4/lib64/libnvrtc.so.11.4.152"},
	}, []string{"/usr/local/cuda-11.8/lib64/libnvrtc.so.11.2", "/usr/local/cuda-11.4/lib64/libnvrtc.so.11.2"}},
	{"a toolkit's root is named", NVRTC, "", fake{
		env:   map[string]string{"PURECUDA_NVRTC": "/cuda"},
		files: []string{"/cuda/lib64/libnvrtc.so.12.6.1", "/cuda/lib64/stubs/libnvrtc.so", "/cuda/targets/x86_64-linux/lib/libnvrtc.so.13", "/cuda/bin/nvcc"},
	}, []string{"/cuda/targets/x86_64-linux/lib/libnvrtc.so.13", "/cuda/lib64/libnvrtc.so.12.6.1"}},
	{"a toolkit's root is given", NVRTC, "/cuda", fake{files: []string{"/cuda/lib/libnvrtc.so.12"}}, []string{"/cuda/lib/libnvrtc.so.12"}},
	{"what lies in the folder itself comes before", NVRTC, "/cuda", fake{
		files: []string{"/cuda/libnvrtc.so.11.2", "/cuda/lib64/libnvrtc.so.12"}}, []string{"/cuda/libnvrtc.so.11.2"}},
	{"only versioned names", NVRTC, "", fake{ // CASES B02
		env: map[string]string{"CONDA_PREFIX": "/c"}, files: []string{"/c/lib/libnvrtc.so.12"}}, nil},
	{"only the bare name", NVRTC, "", fake{
		env: map[string]string{"CONDA_PREFIX": "/c"}, files: []string{"/c/lib/libnvrtc.so"}}, nil},
	{"a version to come", NVRTC, "/dir", fake{files: []string{"/dir/libnvrtc.so.21", "/dir/libnvrtc.so.13"}}, nil},
	{"a version to come, in the loader's folders", NVRTC, "", fake{
		env: map[string]string{"LD_LIBRARY_PATH": "/ld"}, files: []string{"/ld/libnvrtc.so.21", "/ld/libnvrtc.so.13"}}, nil},
	{"the loader's order among equal names", NVRTC, "", fake{
		env:   map[string]string{"LD_LIBRARY_PATH": ":/a:/b"},
		links: map[string]string{"/a/libnvrtc.so.12": "libnvrtc.so.12.1.105", "/b/libnvrtc.so.12": "libnvrtc.so.12.4.127"},
	}, []string{"/a/libnvrtc.so.12", "/b/libnvrtc.so.12"}},
	{"the oldest, which only the loader knows", NVRTC, "", fake{loader: []string{"/somewhere/libnvrtc.so.7.0"}}, []string{"/somewhere/libnvrtc.so.7.0"}},
	{"a given file is the only one", NVRTC, "/x/my-nvrtc", fake{
		env: map[string]string{"PURECUDA_NVRTC": "/named"}, files: []string{"/x/my-nvrtc", "/named/libnvrtc.so.12"}}, []string{"/x/my-nvrtc"}},
	{"a given name goes to the loader", NVRTC, "libnvrtc.so.12", fake{
		loader: []string{"/somewhere/libnvrtc.so.12"}}, []string{"/somewhere/libnvrtc.so.12"}},
	{"folders for arm64", NVRTC, "", fake{goarch: "arm64", env: map[string]string{"CUDA_HOME": "/cuda"},
		files: []string{"/cuda/targets/sbsa-linux/lib/libnvrtc.so.12", "/cuda/targets/aarch64-linux/lib/libnvrtc.so.11.2",
			"/usr/lib/aarch64-linux-gnu/libnvrtc.so.11.2", "/cuda/targets/x86_64-linux/lib/libnvrtc.so.12"}},
		[]string{"/cuda/targets/sbsa-linux/lib/libnvrtc.so.12", "/cuda/targets/aarch64-linux/lib/libnvrtc.so.11.2",
			"/usr/lib/aarch64-linux-gnu/libnvrtc.so.11.2"}},
	{"a stub by another name", CUDA, "", fake{
		links: map[string]string{"/usr/lib64/libcuda.so.1": "../local/cuda/lib64/stubs/libcuda.so"},
		files: []string{"/usr/local/cuda/lib64/stubs/libcuda.so"}}, []string{}},
	{"stubs are passed over", NVRTC, "", fake{env: map[string]string{"LD_LIBRARY_PATH": "/cuda/lib64/stubs"},
		files: []string{"/cuda/lib64/stubs/libnvrtc.so"}}, []string{}},
	{"nvJitLink", NVJitLink, "", fake{
		env: map[string]string{"VIRTUAL_ENV": "/v", "CUDA_PATH": "/cuda", "PURECUDA_NVJITLINK": "/named/libnvJitLink.so.12"},
		files: []string{"/named/libnvJitLink.so.12", "/v/lib/python3.11/site-packages/nvidia/cu13/lib/libnvJitLink.so.13",
			"/v/lib/python3.11/site-packages/nvidia/nvjitlink/lib/libnvJitLink.so.12", "/cuda/lib64/libnvJitLink.so.12"}}, nil},

	{"libcuda: the loader's, then folders; no toolkit, no wheel", CUDA, "", fake{
		env: map[string]string{"VIRTUAL_ENV": "/venv", "CONDA_PREFIX": "/conda", "CUDA_PATH": "/cuda", "CUDA_HOME": "/cuda",
			"LD_LIBRARY_PATH": "/cuda/lib64/stubs:/ld"},
		cache: cacheOf("/usr/lib/i386-linux-gnu/libcuda.so.1", "/etc/alternatives/libcuda.so.1"),
		files: []string{
			"/ld/libcuda.so.1",
			"/usr/lib/i386-linux-gnu/libcuda.so.1",
			"/etc/alternatives/libcuda.so.1",
			"/usr/lib/wsl/lib/libcuda.so.1",
			"/usr/lib/x86_64-linux-gnu/libcuda.so.550.54.14", // a driver whose link is gone
			"/usr/lib64/libcuda.so.1",
			"/cuda/lib64/stubs/libcuda.so", "/cuda/lib64/stubs/libcuda.so.1", "/cuda/compat/libcuda.so.1",
			"/conda/lib/stubs/libcuda.so", "/conda/lib/libcuda.so.1", "/usr/local/cuda-13.0/compat/libcuda.so.1",
			"/usr/lib64/libcuda.so", "/venv/lib/python3.11/site-packages/nvidia/cu13/lib/libcuda.so.1",
		}}, []string{"/ld/libcuda.so.1", "/usr/lib/i386-linux-gnu/libcuda.so.1", "/etc/alternatives/libcuda.so.1",
		"/usr/lib/wsl/lib/libcuda.so.1", "/usr/lib/x86_64-linux-gnu/libcuda.so.550.54.14", "/usr/lib64/libcuda.so.1"}},
	{"libcuda: the loader's order, not the newest", CUDA, "", fake{
		env:   map[string]string{"LD_LIBRARY_PATH": "/a:/b"},
		links: map[string]string{"/a/libcuda.so.1": "libcuda.so.535.1", "/b/libcuda.so.1": "libcuda.so.580.1"},
	}, []string{"/a/libcuda.so.1", "/b/libcuda.so.1"}},
	{"libcuda: a stub that was named", CUDA, "/cuda/lib64/stubs", fake{files: []string{"/cuda/lib64/stubs/libcuda.so"}}, nil},
	{"libcuda: compat that was named", CUDA, "", fake{env: map[string]string{"PURECUDA_CUDA": "/cuda/compat"},
		files: []string{"/cuda/compat/libcuda.so.1"}}, nil},

	{"a toolkit's root is named on Windows", NVRTC, "", fake{goos: "windows", env: map[string]string{"PURECUDA_NVRTC": `D:\cuda`},
		files: []string{`D:\cuda\bin\x64\nvrtc64_130_0.dll`}}, []string{`D:\cuda\bin\x64\nvrtc64_130_0.dll`}},
	{"every step on Windows", NVRTC, "", fake{goos: "windows", // CASES B04
		env: map[string]string{"PURECUDA_NVRTC": `D:\named`, "VIRTUAL_ENV": `C:\venv`, "CONDA_PREFIX": `C:\conda\`,
			"CUDA_PATH": `C:\cuda\v13.0`, "CUDA_PATH_V11_8": `C:\cuda\v11.8`, "CUDA_PATH_V12_9": `C:\cuda\v12.9`,
			"PATH": `C:\one;C:\two`, "ProgramFiles": `C:\Program Files`},
		loaded: []string{`C:\app\nvrtc64_101_0.dll`},
		loader: []string{`C:\exe\nvrtc64_110_0.dll`},
		files: []string{
			`D:\named\NVRTC64_75.DLL`,
			`C:\app\nvrtc64_101_0.dll`,
			`C:\venv\Lib\site-packages\nvidia\cu13\bin\x86_64\nvrtc64_130_0.dll`,
			`C:\venv\Lib\site-packages\nvidia\cuda_nvrtc\bin\nvrtc64_120_0.dll`,
			`C:\conda\Library\bin\nvrtc64_112_0.dll`,
			`C:\cuda\v13.0\bin\x64\nvrtc64_130_0.dll`,
			`C:\cuda\v12.9\bin\nvrtc64_120_0.dll`,
			`C:\cuda\v11.8\bin\nvrtc64_112_0.dll`,
			`C:\two\nvrtc64_120_0.dll`,
			`C:\one\nvrtc64_92.dll`,
			`C:\exe\nvrtc64_110_0.dll`,
			`C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v14.0\bin\x64\nvrtc64_140_0.dll`,
			`C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v12.5\bin\nvrtc64_120_0.dll`,
		}}, nil},
	{"a Windows folder", NVRTC, `C:\x`, fake{goos: "windows", // CASES B04
		files: []string{`C:\x\nvrtc64_120_0.alt.dll`, `C:\x\nvrtc64_120_0.dll`, `C:\x\nvrtc-builtins64_129.dll`, `C:\x\nvrtc64_static.lib`, `C:\x\nv.dll`}},
		[]string{`C:\x\nvrtc64_120_0.dll`}},
	{"nvJitLink on Windows", NVJitLink, "", fake{goos: "windows", env: map[string]string{"CUDA_PATH": `C:\cuda`},
		files: []string{`C:\cuda\bin\x64\nvJitLink_130_0.dll`, `C:\cuda\bin\nvJitLink_120_0.dll`}}, nil},
	{"nvcuda.dll is the system's", CUDA, "", fake{goos: "windows",
		env:    map[string]string{"SystemRoot": `C:\Windows`, "PATH": `C:\evil`, "CUDA_PATH": `C:\cuda`},
		loader: []string{`C:\program\nvcuda.dll`},
		files:  []string{`C:\evil\nvcuda.dll`, `C:\cuda\bin\nvcuda.dll`, `C:\Windows\System32\nvcuda.dll`}},
		[]string{`C:\Windows\System32\nvcuda.dll`}},
	{"nothing on a Mac", NVRTC, "", fake{goos: "darwin", env: map[string]string{"CUDA_HOME": "/cuda"},
		files: []string{"/cuda/lib/libnvrtc.dylib", "/usr/local/cuda/lib/libnvrtc.so.12"}}, []string{}},
}

func TestSearchOrder(t *testing.T) {
	for _, c := range orders {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			if want == nil {
				want = c.fake.files
			}
			got := c.fake.order(t, c.spec, c.given)
			if len(want) == 0 {
				assert.Empty(t, got)
				return
			}
			assert.Equal(t, want, got)
		})
	}
}

func TestSearchSaysWhere(t *testing.T) {
	f := fake{env: map[string]string{"PURECUDA_NVRTC": "/named", "CUDA_PATH": "/cuda", "CONDA_PREFIX": "/conda"},
		files: []string{"/cuda/lib64/libnvrtc.so.12"},
		bad: map[string]error{"/named/libnvrtc.so.13": errors.New("wrong architecture: it is for ARM64"),
			"/conda/lib/libnvrtc.so.11.2": errors.New("cut short")}}
	lib, err := NVRTC.search(f.machine(), "", nil)
	require.NoError(t, err)
	assert.Equal(t, "/cuda/lib64/libnvrtc.so.12", lib.Path())
	assert.Equal(t, ByToolkit, lib.Source())
	assert.Equal(t, "CUDA_PATH", lib.From())
	var refused []string
	for _, a := range lib.Refused() {
		refused = append(refused, a.String())
	}
	assert.Contains(t, refused, "PURECUDA_NVRTC: /named/libnvrtc.so.13: wrong architecture: it is for ARM64")
	assert.Contains(t, refused, "CONDA_PREFIX: /conda/lib/libnvrtc.so.11.2: cut short")
}

// A file is tried once, however many steps lead to it.
func TestSearchTriesAFileOnce(t *testing.T) {
	f := fake{env: map[string]string{"PURECUDA_NVRTC": "/usr/local/cuda/lib64", "CUDA_HOME": "/usr/local/cuda", "LD_LIBRARY_PATH": "/usr/local/cuda/lib64"},
		links: map[string]string{"/usr/local/cuda/lib64/libnvrtc.so": "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so.12": "libnvrtc.so.12"},
		files: []string{"/usr/local/cuda/lib64/libnvrtc.so.12"}}
	assert.Len(t, f.order(t, NVRTC, ""), 1)
}

// The loader must not be asked for a name that its folder holds a broken file
// of: it would map that and the process would end.
func TestSearchKeepsTheLoaderFromBrokenFiles(t *testing.T) {
	f := fake{env: map[string]string{"LD_LIBRARY_PATH": "/ld"},
		bad:    map[string]error{"/ld/libcuda.so.1": errors.New("cut short")},
		loader: []string{"/ld/libcuda.so.1"}}
	assert.Empty(t, f.order(t, CUDA, ""))
}

func TestNotFound(t *testing.T) {
	f := fake{env: map[string]string{"PURECUDA_NVRTC": "/nowhere", "CUDA_HOME": "/cuda"},
		files: []string{"/cuda/lib64/libcudart.so.12"},
		bad:   map[string]error{"/usr/lib/x86_64-linux-gnu/libnvrtc.so.12": fs.ErrPermission}}
	_, err := NVRTC.search(f.machine(), "", nil)
	var missing *NotFoundError
	require.ErrorAs(t, err, &missing)
	assert.ErrorIs(t, err, fs.ErrPermission, "the attempts' errors can be asked for")
	text := err.Error()
	for _, want := range []string{
		"dl: find NVRTC: nothing that can be used on this machine; install the CUDA toolkit or Debian's libnvrtc12 or libnvrtc11.2",
		"pip's nvidia-cuda-nvrtc (CUDA 13) or nvidia-cuda-nvrtc-cu12, or set PURECUDA_NVRTC to its file or folder",
		"\n\tPURECUDA_NVRTC: /nowhere: file does not exist",
		"\n\tCUDA_HOME: /cuda/lib64: holds no libnvrtc.so.*",
		"\n\tCUDA_HOME: /cuda/lib, /cuda/targets/x86_64-linux/lib: no such folder",
		"\n\tsystem's loader: libnvrtc.so.19, libnvrtc.so.18,", "libnvrtc.so.7.5, libnvrtc.so.7.0, libnvrtc.so: not found",
		"\n\tusual folder: /usr/lib/x86_64-linux-gnu/libnvrtc.so.12: permission denied",
	} {
		assert.Contains(t, text, want)
	}

	_, err = NVRTC.search(f.machine(), "/nowhere", nil)
	assert.EqualError(t, err, "dl: find NVRTC: /nowhere: file does not exist")
	_, err = NVRTC.search(f.machine(), "/cuda/lib64", nil)
	assert.EqualError(t, err, "dl: find NVRTC: /cuda/lib64: holds no libnvrtc.so.*, nor is there one in lib64, lib, targets/x86_64-linux/lib below it")
	_, err = CUDA.search(f.machine(), "", nil)
	assert.ErrorContains(t, err, "dl: find the CUDA driver: nothing that can be used on this machine; install the NVIDIA driver (Debian: libcuda1")
	_, err = CUDA.search((&fake{goos: "windows"}).machine(), "", nil)
	assert.ErrorContains(t, err, "install the NVIDIA driver, or set PURECUDA_CUDA")
	_, err = NVRTC.search((&fake{goos: "darwin"}).machine(), "", nil)
	assert.EqualError(t, err, "dl: find NVRTC: nothing that can be used on this machine; CUDA does not exist for darwin")
}

func TestBuiltinsBesideIt(t *testing.T) {
	for _, c := range []struct {
		name string
		fake fake
		open string
		want []string
	}{
		{"Debian 11.8", fake{
			links: map[string]string{"/l/libnvrtc.so.11.2": "libnvrtc.so.11.8.89", "/l/libnvrtc-builtins.so.11.8": "libnvrtc-builtins.so.11.8.89"},
			files: []string{"/l/libnvrtc.so.11.8.89", "/l/libnvrtc-builtins.so.11.8.89", "/l/libnvrtc-builtins.so.11.4", "/l/libnvrtc-builtins.so.12.4"}},
			"/l/libnvrtc.so.11.2", []string{"/l/libnvrtc-builtins.so.11.8"}},
		{"a wheel, whose name does not tell the minor", fake{
			files: []string{"/l/libnvrtc.so.12", "/l/libnvrtc-builtins.so.12.6", "/l/libnvrtc-builtins.alt.so.12.6", "/l/libnvrtc-builtins.so.13.0"}},
			"/l/libnvrtc.so.12", []string{"/l/libnvrtc-builtins.so.12.6"}},
		{"9.0, whose builtins have no version", fake{files: []string{"/l/libnvrtc.so.9.0", "/l/libnvrtc-builtins.so"}},
			"/l/libnvrtc.so.9.0", []string{"/l/libnvrtc-builtins.so"}},
		{"a link into another folder", fake{links: map[string]string{"/a/libnvrtc.so.12": "../b/libnvrtc.so.12.4.127"},
			files: []string{"/b/libnvrtc.so.12.4.127", "/b/libnvrtc-builtins.so.12.4"}},
			"/a/libnvrtc.so.12", []string{"/b/libnvrtc-builtins.so.12.4"}},
		{"Windows", fake{goos: "windows", files: []string{`C:\b\nvrtc64_120_0.dll`, `C:\b\nvrtc-builtins64_129.dll`, `C:\b\nvrtc-builtins64_118.dll`}},
			`C:\b\nvrtc64_120_0.dll`, []string{`C:\b\nvrtc-builtins64_129.dll`}},
		{"none", fake{files: []string{"/l/libnvrtc.so.12"}}, "/l/libnvrtc.so.12", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			lib, err := NVRTC.search(c.fake.machine(), c.open, nil)
			require.NoError(t, err)
			assert.Equal(t, c.want, lib.Beside())
			assert.Empty(t, lib.Refused())
		})
	}
	f := fake{files: []string{"/l/libnvrtc.so.12"}, bad: map[string]error{"/l/libnvrtc-builtins.so.12.4": errors.New("an empty file")}}
	lib, err := NVRTC.search(f.machine(), "/l", nil)
	require.NoError(t, err, "it can still tell its version")
	require.Len(t, lib.Refused(), 1)
	assert.EqualError(t, lib.Refused()[0].Err, "an empty file")
}
