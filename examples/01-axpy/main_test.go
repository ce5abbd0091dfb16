package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/purecuda/purecuda/examples/internal/need"
)

func TestAxpy(t *testing.T) {
	var out strings.Builder
	need.NVRTC(t, run(&out))
	assert.True(t, strings.HasPrefix(out.String(), "[3 3 3 3 3 3 3 3 3 3] on "), out.String())
}
