package dl

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A fixture is a library that the tests build from testdata.
type fixture struct {
	name, source string
	flags        []string
}

var fixtures = []fixture{
	{"abi", "abi.c", nil},
	{"nvrtc-11.2", "nvrtc.c", []string{"-DMAJOR=11", "-DMINOR=2"}},
	{"nvrtc-12.4", "nvrtc.c", []string{"-DMAJOR=12", "-DMINOR=4"}},
	{"nvrtc-13.0", "nvrtc.c", []string{"-DMAJOR=13", "-DMINOR=0"}},
	{"cuda", "cuda.c", []string{"-DINIT=0"}},
	{"cuda-stub", "cuda.c", []string{"-DINIT=34"}},
}

// prebuilt is the folder of fixtures for a test binary that runs where there is
// no compiler: under an emulator, under Wine.
const prebuilt = "PURECUDA_FIXTURES"

// build makes all fixtures in folder.
func build(cc, folder string) error {
	for _, f := range fixtures {
		args := append([]string{"-O1", "-shared", "-o", filepath.Join(folder, f.name+".lib"), filepath.Join("testdata", f.source)}, f.flags...)
		if !strings.Contains(cc, "mingw") {
			args = append(args, "-fPIC")
		}
		if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s %s: %w\n%s", cc, strings.Join(args, " "), err, out)
		}
	}
	return nil
}

var builtFolder string

var builtHere = sync.OnceValue(func() error {
	var err error
	if builtFolder, err = os.MkdirTemp("", "purecuda-dl"); err != nil {
		return err
	}
	return build("gcc", builtFolder)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if builtFolder != "" {
		os.RemoveAll(builtFolder)
	}
	os.Exit(code)
}

// fixtureFile is the path of a built fixture.
func fixtureFile(t testing.TB, name string) string {
	t.Helper()
	folder := os.Getenv(prebuilt)
	if folder == "" {
		if _, err := exec.LookPath("gcc"); err != nil || runtime.GOOS != "linux" {
			missing(t, "gcc", "the tests' C libraries are built with it, on Linux")
		}
		require.NoError(t, builtHere())
		folder = builtFolder
	}
	return filepath.Join(folder, name+".lib")
}

// put copies a fixture to path, making the folders.
func put(t testing.TB, name string, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(fixtureFile(t, name))
	require.NoError(t, err)
	return write(t, b, path...)
}

// tempDir is a folder for libraries that will be loaded: Windows does not let
// them be removed while the process runs, which must not fail the test.
func tempDir(t testing.TB) string {
	t.Helper()
	if runtime.GOOS != "windows" {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp("", "purecuda-dl")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func write(t testing.TB, b []byte, path ...string) string {
	t.Helper()
	file := filepath.Join(path...)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, b, 0o644))
	return file
}

var abi = sync.OnceValues(func() (*Library, error) { return Open(builtABI) })

var builtABI string

// abiFunc is a function of testdata/abi.c.
func abiFunc(t testing.TB, name string) *Func {
	t.Helper()
	builtABI = fixtureFile(t, "abi")
	lib, err := abi()
	require.NoError(t, err)
	f, err := lib.Lookup(name)
	require.NoError(t, err)
	return &f
}
