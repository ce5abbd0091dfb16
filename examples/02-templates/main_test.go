package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/examples/internal/need"
)

func TestTemplates(t *testing.T) {
	var out strings.Builder
	need.NVRTC(t, run(&out))
	assert.Equal(t, `axpy<float>(const float *, float *, float): [2 3 4]
axpy<double>(const double *, double *, double): [2 3 4]
`, out.String())
}

func TestSignaturesAreRead(t *testing.T) {
	mod, err := module()
	need.NVRTC(t, err)
	defer mod.Close()
	k, err := mod.Kernel("axpy<double>")
	require.NoError(t, err)
	assert.Equal(t, "_Z4axpyIdEvPKT_PS0_S0_", k.Entry())
	assert.Equal(t, []int{1}, k.Signature().Writes())
}
