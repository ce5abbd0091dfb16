package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A source has a bound, and an archive, which may have a whole disk's entries, none.
func TestLargeFiles(t *testing.T) {
	d := bareDesk(t)
	d.write("large", "")
	require.NoError(t, os.Truncate(d.path("large"), mostSource+1))
	r := d.run("cache", "import", "large", "kernels")
	assert.Equal(t, atFault, r.code)
	assert.Equal(t, "purecuda: large: cache: load archive: it is none: cache.Export writes them\n", r.err)
	text, err := source(d.path("large"))
	assert.EqualError(t, err, d.path("large")+" has more than 256 MiB")
	assert.Empty(t, text)
}
