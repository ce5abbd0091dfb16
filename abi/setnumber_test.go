package abi

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSetNumber: what SetNumber sets is what Set sets, whatever the type and the value; and it sets what it is there for.
func TestSetNumber(t *testing.T) {
	types := []string{"float", "double", "int", "unsigned", "short", "char", "bool", "long long", "unsigned long long", "__half", "float2", "const float *"}
	values := []any{float32(1.5), float32(math.Inf(1)), float32(math.NaN()), 1.5, 3.0, math.MaxFloat64, math.NaN(), 7, -7, math.MaxInt32, math.MinInt32,
		math.MaxInt32 + 1, math.MinInt32 - 1, int32(-3), int64(5), uint32(9), true, nil, "7", Addr(16), int8(2)}
	for _, name := range types {
		sig, err := ParseSignature(name + " first, " + name + " x")
		require.NoError(t, err)
		quick, err := NewBuffer("k", sig, nil)
		require.NoError(t, err)
		whole := quick.Clone()
		for _, v := range values {
			what := fmt.Sprintf("%s given %T %v", name, v, v)
			before := string(quick.Bytes())
			if quick.SetNumber(1, v) {
				require.NoError(t, whole.Set(1, v), what)
				assert.Equal(t, whole.Bytes(), quick.Bytes(), what)
				continue
			}
			assert.Equal(t, before, string(quick.Bytes()), what)
			switch v.(type) {
			case float32:
				assert.NotEqual(t, "float", name, what)
			case float64:
				assert.NotEqual(t, "double", name, what)
			case int32:
				assert.NotEqual(t, "int", name, what)
			case int:
				assert.False(t, name == "int" && whole.Set(1, v) == nil, what)
			}
		}
		assert.False(t, quick.SetNumber(2, 1), "there is no such argument")
		assert.False(t, quick.SetNumber(-1, 1), "there is no such argument")
	}
}
