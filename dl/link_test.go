package dl

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linked are the tests that tell whether a program was linked so that it can
// load libraries, call C, and be called from there.
const linked = "^(TestArgumentsCross|TestLaunchArguments|TestOutPointerWhileTheStackMoves|TestOpenTheNewest|TestLookup|TestThread.*|TestCallback.*)$"

// Programs are linked in several ways, and the part that stands for cgo where
// there is none must get along with each: B73.
func TestLinking(t *testing.T) {
	switch {
	case runtime.GOOS != "linux":
		t.Skip("the ways are those of Linux")
	case os.Getenv(prebuilt) != "":
		t.Skip("for another machine")
	case testing.Short():
		t.Skip("it links four programs")
	}
	if _, err := exec.LookPath("go"); err != nil {
		missing(t, "go", "it links programs")
	}
	folder := filepath.Dir(fixtureFile(t, "abi"))
	for _, way := range []struct {
		name, cgo string
		flags     []string
	}{
		{"without cgo, PIE", "0", []string{"-buildmode=pie"}},
		{"with cgo", "1", nil},
		{"with cgo, PIE", "1", []string{"-buildmode=pie"}},
		{"with cgo, by the system's linker", "1", []string{"-ldflags=-linkmode=external"}},
	} {
		t.Run(way.name, func(t *testing.T) {
			binary := filepath.Join(t.TempDir(), "dl.test")
			build := exec.Command("go", append(append([]string{"test", "-c", "-o", binary}, way.flags...), ".")...)
			build.Env = append(os.Environ(), "CGO_ENABLED="+way.cgo)
			out, err := build.CombinedOutput()
			require.NoError(t, err, "%s", out)
			run := exec.Command(binary, "-test.run", linked, "-test.v")
			run.Env = append(os.Environ(), prebuilt+"="+folder)
			out, err = run.CombinedOutput()
			require.NoError(t, err, "%s", out)
			for _, name := range []string{"TestLaunchArguments", "TestOpenTheNewest", "TestThreadCallerEndsLocked"} {
				assert.Contains(t, string(out), "--- PASS: "+name)
			}
			assert.Zero(t, strings.Count(string(out), "--- SKIP"), "%s", out)
		})
	}
}
