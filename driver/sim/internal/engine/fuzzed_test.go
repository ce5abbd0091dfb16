package engine

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestFuzzed is what fuzzing found: code that once brought the engine down. It is refused, or runs, with and without detectors.
func TestFuzzed(t *testing.T) {
	for _, c := range []struct{ body, refused string }{
		{".reg .v8 .b32 %v;", "registers of type .b32"},
		{"and.b32 _, %r1, 5; ld.shared.u32 %r2, [shared]; selp.b32 _, %r2, %r1, %p0; shl.b32 _, %r2, 3;", ""},
	} {
		err := loadSmall(t, c.body)
		if c.refused != "" {
			assert.ErrorContains(t, err, c.refused)
			continue
		}
		for _, check := range checks {
			_, err := small{config: Config{Check: check, MaxSteps: 1 << 12}}.run(t, c.body)
			assert.NoError(t, err, c.body)
		}
	}
}
