package rtc

import (
	"os"
	"testing"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/compile"
)

// UseCompiler makes c the machine's NVRTC until the function that it returns is
// called, for what opens that by itself.
func UseCompiler(c *nvrtc.Compiler) (restore func()) {
	m := &machineCompiler
	m.mu.Lock()
	defer m.mu.Unlock()
	val, done := m.val, m.done
	m.val, m.done = c, true
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.val, m.done = val, done
	}
}

// LegacySources is the number of sources that legacy kernels share.
func LegacySources() int {
	legacy.mu.Lock()
	defer legacy.mu.Unlock()
	return len(legacy.modules)
}

// Remembered is the number of devices that a kernel remembers.
func Remembered(k *Kernel) int { return len(*k.functions.Load()) }

// SetStaging sets how many bytes of pinned memory Slices go by way of, before the
// first does.
func SetStaging(d *Device, size int) { d.staging.size = size }

// OpenService makes the Service that modules have which name none, for a value
// of PURECUDA_CACHE.
func OpenService(t testing.TB, folder string) *compile.Service {
	before := os.Getenv("PURECUDA_CACHE")
	defer os.Setenv("PURECUDA_CACHE", before)
	if err := os.Setenv("PURECUDA_CACHE", folder); err != nil {
		t.Fatal(err)
	}
	return openService()
}
