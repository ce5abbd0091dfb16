// Package need tells tests of examples that can't run here from those that
// must: PURECUDA_REQUIRE lists what the machine has, and a skip for the lack of
// that is a failure.
package need

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/rtc"
)

// Examples that are tested leave the user's compile cache alone, and compile.
func init() {
	if os.Getenv("PURECUDA_CACHE") == "" {
		_ = os.Setenv("PURECUDA_CACHE", "off")
	}
}

// GPU skips the test if err says that there is no GPU, and fails it for any
// other error.
func GPU(t *testing.T, err error) {
	t.Helper()
	check(t, "gpu", err, errors.Is(err, rtc.ErrNoDevice))
}

// NVRTC skips the test if err says that there is no NVRTC, and fails it for any
// other error.
func NVRTC(t *testing.T, err error) {
	t.Helper()
	var missing *dl.NotFoundError
	check(t, "nvrtc", err, errors.As(err, &missing))
}

func check(t *testing.T, what string, err error, absent bool) {
	t.Helper()
	switch {
	case err == nil:
	case absent && !slices.Contains(strings.Split(os.Getenv("PURECUDA_REQUIRE"), ","), what):
		t.Skipf("no %s here: %v", what, err)
	default:
		t.Fatal(err)
	}
}
