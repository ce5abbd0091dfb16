package rtc_test

import (
	"os"
	"testing"
)

// TestMain leaves the user's compile cache alone, and has every module
// compiled: tests and benchmarks count on that.
func TestMain(m *testing.M) {
	if err := os.Setenv("PURECUDA_CACHE", "off"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
