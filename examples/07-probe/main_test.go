package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/examples/internal/need"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc"
)

// Whatever the machine has, the probe says it and does not fail.
func TestProbe(t *testing.T) {
	var out strings.Builder
	compiler(&out)
	devices(&out)
	assert.Contains(t, out.String(), "NVRTC ")
	assert.Contains(t, out.String(), "driver ")
}

func TestCompiler(t *testing.T) {
	c, err := nvrtc.Open(nvrtc.Config{})
	need.NVRTC(t, err)
	var out strings.Builder
	compiler(&out)
	assert.Contains(t, out.String(), c.Path())
	assert.Contains(t, out.String(), "exports of templates: yes")
}

func TestDevices(t *testing.T) {
	_, err := rtc.Open(0)
	need.GPU(t, err)
	d, err := driver.Open(driver.Config{})
	require.NoError(t, err)
	var out strings.Builder
	devices(&out)
	assert.Contains(t, out.String(), d.Path())
	assert.Contains(t, out.String(), "compute capability")
}
