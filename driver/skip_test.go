package driver_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// skip skips a test for want of something, or fails it where PURECUDA_REQUIRE
// names that.
func skip(t testing.TB, what, reason string) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("PURECUDA_REQUIRE"), ","), what) {
		t.Fatalf("PURECUDA_REQUIRE has %s: %s", what, reason)
	}
	t.Skip(reason)
}
