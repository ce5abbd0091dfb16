package rtc_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/rtc"
)

// required tells whether PURECUDA_REQUIRE lists what, so that its lack is a
// failure.
func required(what string) bool {
	return slices.Contains(strings.Split(os.Getenv("PURECUDA_REQUIRE"), ","), what)
}

// gpu opens the machine's GPU for a test, or skips it.
func gpu(t testing.TB) *rtc.Device {
	t.Helper()
	return gpuWith(t, rtc.OpenConfig{})
}

func gpuWith(t testing.TB, c rtc.OpenConfig) *rtc.Device {
	t.Helper()
	dev, err := rtc.OpenWith(c)
	if errors.Is(err, rtc.ErrNoDevice) && !required("gpu") {
		t.Skip("no GPU here: ", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, dev.Close()) })
	return dev
}

// compile makes a module for a test with the machine's NVRTC, or skips it.
func compile(t testing.TB, source string, c rtc.ModuleConfig) *rtc.Module {
	t.Helper()
	mod, err := rtc.NewModule(source, c)
	var missing *dl.NotFoundError
	if errors.As(err, &missing) && !required("nvrtc") {
		t.Skip("no NVRTC here: ", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, mod.Close()) })
	return mod
}
