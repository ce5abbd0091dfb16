package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
)

// TestEmbedding ships kernels with a program, compiled: the command fills a
// cache and exports it, a program embeds the file, and rtc.NewModule finds what
// it asks for there and compiles nothing.
func TestEmbedding(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	d.good("compile", "-warm", "-cache", "kernels", "-name", "kernel.cu", "-arch", "compute_90,sm_80", "-e", "axpy<float>", "axpy.cu")
	d.good("cache", "export", "kernels.cache", "kernels")

	// The program lies in this module, and what it embeds on the desk.
	folder, err := filepath.Abs("testdata/embedding")
	require.NoError(t, err)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(folder, "kernels.cache"): d.path("kernels.cache"),
		filepath.Join(folder, "axpy.cu"):       d.path("axpy.cu"),
	}})
	require.NoError(t, err)
	d.write("overlay.json", string(overlay))
	build := exec.Command("go", "build", "-overlay", d.path("overlay.json"), "-o", d.path("program"), "./testdata/embedding")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)

	run := exec.Command(d.path("program"))
	run.Env = []string{"PURECUDA_NVRTC=" + d.env["PURECUDA_NVRTC"], "PURECUDA_CACHE=off", "HOME=" + d.dir}
	said, err = run.CombinedOutput()
	require.NoError(t, err, "%s", said)
	assert.Equal(t, "[3 3 3 3] compiled 0 found 1\n", string(said))
}
