package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/purecuda/purecuda/examples/internal/need"
)

func TestLegacyRtc(t *testing.T) {
	var out strings.Builder
	need.NVRTC(t, run(&out))
	assert.Equal(t, "[1.000 1.649 2.718 4.482 7.389]\n", out.String())
}
