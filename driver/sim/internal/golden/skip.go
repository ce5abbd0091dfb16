package golden

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Skip skips a test for want of something, or fails it where PURECUDA_REQUIRE names that.
//
// Safe for concurrent use.
func Skip(t testing.TB, what, reason string) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("PURECUDA_REQUIRE"), ","), what) {
		t.Fatalf("PURECUDA_REQUIRE has %s: %s", what, reason)
	}
	t.Skip(reason)
}

// Unrecorded skips a test because no GPU was asked yet. Nothing can require what nobody has: ci/gpu golden records it.
//
// Safe for concurrent use.
func Unrecorded(t testing.TB) {
	t.Helper()
	t.Skip("no recorded answers yet: ci/gpu golden records them")
}
