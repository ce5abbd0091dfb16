package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/purecuda/purecuda/examples/internal/need"
)

func TestSharedMemory(t *testing.T) {
	var out strings.Builder
	need.NVRTC(t, run(&out))
	assert.Equal(t, "[1 3 5 7 9 11 13 15 17 19]\n", out.String())
}
