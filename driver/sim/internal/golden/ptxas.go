package golden

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// PTXAS is NVIDIA's assembler for tests: the file that PURECUDA_PTXAS names, else the one in the path. Where there is none the
// test is skipped, or fails if PURECUDA_REQUIRE names ptxas.
//
// Safe for concurrent use.
func PTXAS(t testing.TB) string {
	t.Helper()
	path := os.Getenv("PURECUDA_PTXAS")
	if path == "" {
		path, _ = exec.LookPath("ptxas")
	}
	if path == "" {
		Skip(t, "ptxas", "no ptxas: set PURECUDA_PTXAS")
	}
	return path
}

// Assemble gives what the assembler says of a text for compute capability 9.0, "" where it takes it.
//
// Safe for concurrent use.
func Assemble(t testing.TB, tool, text string, more ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.ptx"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(tool, append([]string{"-arch=sm_90", "x.ptx", "-o", "x.cubin"}, more...)...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		return string(out) + err.Error()
	}
	return ""
}
