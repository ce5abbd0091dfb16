package engine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestVectors loads and stores several elements at once, in each space.
func TestVectors(t *testing.T) {
	for name, body := range map[string]string{
		"global": "ld.global.v2.u32 {%r3, %r4}, [%rd2+8]; st.global.v2.u32 [%rd3+8], {%r4, %r3};",
		"shared": "mov.u32 %r5, shared; mov.u32 %r3, 2; mov.u32 %r4, 3; st.shared.v2.u32 [%r5+8], {%r3, %r4}; ld.shared.v2.u32 {%r3, %r4}, [%r5+8]; st.global.v2.u32 [%rd3+8], {%r4, %r3};",
		"local":  "mov.u32 %r3, 2; mov.u32 %r4, 3; st.local.v2.u32 [local+8], {%r3, %r4}; ld.local.v2.u32 {%r3, %r4}, [local+8]; st.global.v2.u32 [%rd3+8], {%r4, %r3};",
		"four":   "ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd2]; st.global.v4.u32 [%rd3], {%r3, %r4, %r6, %r5};",
	} {
		out, err := small{threads: 4}.run(t, body)
		require.NoError(t, err, name)
		assert.Equal(t, []uint32{3, 2}, out[2:], name)
	}
	_, err := small{threads: 4}.run(t, "ld.global.v2.u32 {%r3, %r4}, [%rd2+4];")
	require.ErrorContains(t, err, "is no multiple of 8")
}
