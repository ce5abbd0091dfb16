package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/purecuda/purecuda/examples/internal/need"
)

func TestAxpy(t *testing.T) {
	var out strings.Builder
	need.GPU(t, run(&out))
	assert.True(t, strings.HasPrefix(out.String(), "[3 3 3 3 3 3 3 3 3 3] on "), out.String())
}

func TestCompileOnly(t *testing.T) {
	var out strings.Builder
	need.NVRTC(t, compileOnly(&out))
	assert.Contains(t, out.String(), "entry points [axpy]")
}
