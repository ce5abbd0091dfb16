package forms_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/golden/forms"
)

// TestAroundTheLeast runs the cases around the least normal number: results are that number, the one next to it, or zero, and both signs come up.
func TestAroundTheLeast(t *testing.T) {
	n := 0
	for _, c := range forms.Cases() {
		if !strings.HasSuffix(c.Name, " around the least") {
			continue
		}
		n++
		out, err := c.Simulate()
		require.NoError(t, err)
		sign, least := uint64(1)<<31, uint64(0x00800000)
		if c.Family == "f16" {
			sign, least = 1<<15, 0x0400
		}
		seen := map[uint64]int{}
		for i := range out[0].Len() {
			v := out[0].At(i)
			assert.LessOrEqual(t, v&^sign, least, c.Name)
			seen[v]++
		}
		assert.Greater(t, seen[0], 10, c.Name)
		assert.Greater(t, seen[sign], 10, c.Name)
		if !strings.Contains(c.Form, ".rz") {
			assert.Greater(t, seen[least]+seen[sign|least], 100, c.Name)
		}
	}
	assert.Equal(t, 14, n)
}
