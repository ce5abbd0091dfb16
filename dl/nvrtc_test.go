//go:build linux && amd64

package dl

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// The real NVRTCs that ci/setup unpacks lie in folders that no loader knows, and
// where it looks first lie builtins that are none (CASES B01): compiling works
// only if the right ones were opened with NVRTC.
func TestRealNVRTCCompiles(t *testing.T) {
	if _, err := os.Stat("../.deps"); err != nil {
		if strings.Contains(os.Getenv("PURECUDA_REQUIRE"), "gpu") {
			t.Skip("no .deps on the machine with the GPU: its NVRTC lies where loaders look")
		}
		missing(t, "nvrtc", "no .deps: run ci/setup")
	}
	for _, release := range []string{"11.2", "11.8", "12.4"} {
		t.Run(release, func(t *testing.T) {
			folder, err := filepath.Abs("../.deps/nvrtc-" + release + "/usr/lib/x86_64-linux-gnu")
			require.NoError(t, err)
			if _, err := os.Stat(folder); err != nil {
				missing(t, "nvrtc", "run ci/setup")
			}
			// In a process of its own: NVRTC leaves its mark on one.
			if os.Getenv("PURECUDA_CHILD") == "" {
				self, err := os.Executable()
				require.NoError(t, err)
				child := exec.Command(self, "-test.run=^TestRealNVRTCCompiles$/^"+regexp.QuoteMeta(release)+"$", "-test.v")
				wrong := t.TempDir()
				write(t, nil, wrong, "libnvrtc-builtins.so."+release)
				child.Env = append(os.Environ(), "PURECUDA_CHILD=1", "LD_LIBRARY_PATH="+wrong)
				out, err := child.CombinedOutput()
				require.NoError(t, err, "%s", out)
				require.Contains(t, string(out), "--- PASS: TestRealNVRTCCompiles/"+release)
				return
			}
			lib, err := NVRTC.Open(folder)
			require.NoError(t, err)
			require.Equal(t, ByPath, lib.Source())
			require.Equal(t, folder, filepath.Dir(lib.Path()))
			require.Len(t, lib.Beside(), 1)
			require.Contains(t, lib.Beside()[0], folder+"/libnvrtc-builtins.so."+release)

			call := func(name string, args ...uintptr) int32 {
				f, err := lib.Lookup(name)
				require.NoError(t, err)
				return int32(f.CallSlice(args))
			}
			version := new([2]int32)
			require.Zero(t, call("nvrtcVersion", uintptr(unsafe.Pointer(&version[0])), uintptr(unsafe.Pointer(&version[1]))))
			require.Equal(t, release, Version{int(version[0]), int(version[1])}.String())
			src, _ := CString(`extern "C" __global__ void k(float *p) { p[threadIdx.x] = 1; }`)
			prog := new(uintptr)
			require.Zero(t, call("nvrtcCreateProgram", uintptr(unsafe.Pointer(prog)), uintptr(unsafe.Pointer(&src[0])), 0, 0, 0, 0))
			require.Zero(t, call("nvrtcCompileProgram", *prog, 0, 0), "7 means that the builtins were not found")
			size := new(uint64)
			require.Zero(t, call("nvrtcGetPTXSize", *prog, uintptr(unsafe.Pointer(size))))
			ptx := make([]byte, *size)
			require.Zero(t, call("nvrtcGetPTX", *prog, uintptr(unsafe.Pointer(&ptx[0]))))
			require.Contains(t, string(ptx), ".entry k(")
		})
	}
}
