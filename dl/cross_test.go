package dl

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests that need no machine of their own, run for Windows under Wine and
// for arm64 under an emulator: calls cross those C ABIs, and libraries are
// found and opened by those loaders.
const portable = "^(TestArgumentsCross|TestLaunchArguments|TestNegativeAndNarrowValues|TestOutPointers|TestOutPointerWhileTheStackMoves|TestCallDo.*|" +
	"TestStringsCross|TestCallSliceAllocatesNothing|TestOpen.*|TestLibraryKnowsItsPath|TestLookup|TestErrorsAreOnesOwn|" +
	"TestHeader.*|TestCheckFile|TestSearch.*|TestThisMachine)$"

func TestUnderWine(t *testing.T) {
	const cc, wine = "x86_64-w64-mingw32-gcc", "/usr/lib/wine/wine64"
	folder := cross(t, "windows", cc, "wine", wine)
	// A Wine home of our own, and in it what older Wines lack.
	home := filepath.Join(folder, "wine")
	env := append(os.Environ(), "WINEPREFIX="+home, "WINEDEBUG=-all", prebuilt+"=Z:"+strings.ReplaceAll(folder, "/", `\`))
	start := exec.Command(wine, "wineboot", "--init")
	start.Env = env
	out, err := start.CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Cleanup(func() {
		stop := exec.Command(wine, "wineboot", "--kill")
		stop.Env = env
		_ = stop.Run() // the folder is removed anyway
	})
	random := filepath.Join(home, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	if _, err := os.Stat(random); err != nil {
		out, err := exec.Command(cc, "-O1", "-shared", "-o", random, "testdata/bcryptprimitives.c", "-ladvapi32").CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	runCross(t, env, wine, filepath.Join(folder, "dl.test.exe"))
}

func TestUnderEmulatedARM64(t *testing.T) {
	if runtime.GOARCH == "arm64" {
		t.Skip("this machine is one")
	}
	qemu, err := filepath.Abs("../.deps/qemu/usr/bin/qemu-aarch64-static")
	require.NoError(t, err)
	sysroot, err := filepath.Abs("../.deps/sysroot-arm64")
	require.NoError(t, err)
	folder := cross(t, "linux/arm64", "aarch64-linux-gnu-gcc", "arm64", qemu)
	env := append(os.Environ(), prebuilt+"="+folder)
	runCross(t, env, qemu, "-L", sysroot, filepath.Join(folder, "dl.test.exe"))
}

// cross builds the fixtures and this package's tests for a platform, or skips
// where the tools are missing.
func cross(t *testing.T, platform, cc, requirement, runner string) string {
	t.Helper()
	if !required(requirement) {
		t.Skipf("it builds for another platform, which takes its time: PURECUDA_REQUIRE=%s", requirement)
	}
	for _, tool := range []string{cc, runner, "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			missing(t, requirement, "there is no "+filepath.Base(tool)+" (ci/setup arm64, ci/setup windows)")
		}
	}
	folder := t.TempDir()
	require.NoError(t, build(cc, folder))
	goos, goarch, ok := strings.Cut(platform, "/")
	if !ok {
		goarch = "amd64"
	}
	cmd := exec.Command("go", "test", "-c", "-o", filepath.Join(folder, "dl.test.exe"), ".")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return folder
}

func runCross(t *testing.T, env []string, command ...string) {
	t.Helper()
	cmd := exec.Command(command[0], append(command[1:], "-test.run", portable, "-test.v")...)
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: TestLaunchArguments")
	require.Contains(t, string(out), "--- PASS: TestOpenTheNewest")
	t.Logf("%d tests passed, %d skipped", strings.Count(string(out), "\n--- PASS"), strings.Count(string(out), "\n--- SKIP"))
}
