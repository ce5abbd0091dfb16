//go:build linux && amd64

package worker_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// TestUnderWine runs the tests for Windows, with an NVRTC of testdata. That memory is
// bounded only Windows itself can show.
func TestUnderWine(t *testing.T) {
	const cc, wine = "x86_64-w64-mingw32-gcc", "/usr/lib/wine/wine64"
	if !nvrtctest.Required("wine") {
		t.Skip("it builds for another platform, which takes its time: PURECUDA_REQUIRE=wine")
	}
	for _, tool := range []string{cc, wine} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("wine is required: %v (ci/setup windows)", err)
		}
	}
	folder := t.TempDir()
	home := filepath.Join(folder, "wine")
	run := func(env []string, command ...string) string {
		t.Helper()
		c := exec.Command(command[0], command[1:]...)
		c.Env = append(os.Environ(), env...)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	env := []string{"WINEPREFIX=" + home, "WINEDEBUG=-all"}
	program := filepath.Join(folder, "worker.test.exe")
	run([]string{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0"}, "go", "test", "-c", "-o", program, ".")
	run(nil, cc, "-O1", "-shared", "-o", filepath.Join(folder, "nvrtc64_120_0.dll"), "testdata/nvrtc.c")
	run(env, wine, "wineboot", "--init")
	defer run(env, wine, "wineboot", "--kill")
	random := filepath.Join(home, "drive_c", "windows", "system32", "bcryptprimitives.dll") // older Wines lack it
	if _, err := os.Stat(random); err != nil {
		run(nil, cc, "-O1", "-shared", "-o", random, "../../../dl/testdata/bcryptprimitives.c", "-ladvapi32")
	}
	out := run(env, wine, program, "-test.v", "-test.run=TestOnWindows")
	assert.Contains(t, out, "--- PASS: TestOnWindows")
}
