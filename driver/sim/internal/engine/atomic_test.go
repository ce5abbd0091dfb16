package engine

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestBigEndian holds the list of architectures to the one that runs the test.
func TestBigEndian(t *testing.T) {
	assert.Equal(t, binary.NativeEndian.Uint16([]byte{0, 1}) == 1, bigEndian)
}
