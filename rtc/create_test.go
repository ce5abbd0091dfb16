package rtc

import (
	"testing"

	"github.com/purecuda/purecuda/abi"
	"github.com/stretchr/testify/assert"
)

type (
	celsius float64
	flags   uint16
	yes     bool
	phase   complex64
)

func TestOne(t *testing.T) {
	assert.Equal(t, int8(1), one[int8]())
	assert.Equal(t, int64(1), one[int64]())
	assert.Equal(t, uint(1), one[uint]())
	assert.Equal(t, float32(1), one[float32]())
	assert.Equal(t, complex(1, 0), one[complex128]())
	assert.Equal(t, true, one[bool]())

	// Named types by their kind.
	assert.Equal(t, celsius(1), one[celsius]())
	assert.Equal(t, flags(1), one[flags]())
	assert.Equal(t, yes(true), one[yes]())
	assert.Equal(t, phase(1), one[phase]())

	// The small floats are integers by kind; their one is another.
	assert.Equal(t, Half(0x3c00), one[Half]())
	assert.Equal(t, BFloat16(0x3f80), one[BFloat16]())
	assert.Equal(t, abi.E4M3(0x38), one[abi.E4M3]())
	assert.Equal(t, abi.E5M2(0x3c), one[abi.E5M2]())
}
