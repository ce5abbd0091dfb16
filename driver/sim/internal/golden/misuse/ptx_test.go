package misuse_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
	"github.com/purecuda/purecuda/driver/sim/internal/golden/misuse"
)

// TestPTXAS holds the kernels to NVIDIA's assembler: where a scenario can't load them nothing in it is asked.
func TestPTXAS(t *testing.T) {
	tool := golden.PTXAS(t)
	for name, text := range misuse.Kernels {
		assert.Empty(t, golden.Assemble(t, tool, text), name)
	}
}
