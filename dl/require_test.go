package dl

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// missing skips a test for want of something, or fails it where
// PURECUDA_REQUIRE lists that.
func missing(t testing.TB, what, why string) {
	t.Helper()
	if required(what) {
		t.Fatalf("%s is required: %s", what, why)
	}
	t.Skipf("no %s: %s", what, why)
}

func required(what string) bool {
	return slices.Contains(strings.Split(os.Getenv("PURECUDA_REQUIRE"), ","), what)
}
