package rtc_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linked builds a program of testdata and lists the symbols of the simulated device that are in it.
func linked(t *testing.T, program string) (symbols []string, bytes int64) {
	t.Helper()
	tool, err := exec.LookPath("go")
	if err != nil {
		require.False(t, required("go"), "no go here: %v", err)
		t.Skip("no go here: ", err)
	}
	binary := filepath.Join(t.TempDir(), program)
	build := exec.Command(tool, "build", "-o", binary, "./testdata/"+program)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOFLAGS=")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "go build ./testdata/%s: %s", program, out)
	file, err := elf.Open(binary)
	require.NoError(t, err)
	defer file.Close()
	all, err := file.Symbols()
	require.NoError(t, err)
	for _, s := range all {
		if strings.Contains(s.Name, "purecuda/driver/sim") {
			symbols = append(symbols, s.Name)
		}
	}
	info, err := os.Stat(binary)
	require.NoError(t, err)
	return symbols, info.Size()
}

// TestLinked: a program that opens GPUs alone carries nothing of the simulated device. A variable that code initialises, or an init, in any of
// its packages would bring it all in.
func TestLinked(t *testing.T) {
	gpu, small := linked(t, "openonly")
	assert.Empty(t, gpu, "what rtc.Open brings in of the simulated device")
	either, large := linked(t, "openany")
	assert.Greater(t, len(either), 1000, "what rtc.OpenAny brings in of it")
	assert.Contains(t, either, "github.com/purecuda/purecuda/driver/sim/internal/engine.Load")
	t.Logf("a program with rtc.Open has %d bytes, one with rtc.OpenAny %d", small, large)
}
