package engine

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRow(t *testing.T) {
	data := make([]byte, 256)
	at := func(first uint64, change func(as *[32]uint64)) *[32]uint64 {
		var as [32]uint64
		for i := range as {
			as[i] = first + 4*uint64(i)
		}
		if change != nil {
			change(&as)
		}
		return &as
	}
	const base = 0x1000
	for _, first := range []uint64{base, base + 4, base + 128} {
		p := row(at(first, nil), data, base)
		if assert.NotNil(t, p, first) {
			assert.Same(t, &data[first-base], &p[0])
		}
	}
	for name, as := range map[string]*[32]uint64{
		"one too far":    at(base+132, nil),
		"before":         at(base-4, nil),
		"not aligned":    at(base+2, nil),
		"two change":     at(base, func(as *[32]uint64) { as[3], as[4] = as[4], as[3] }),
		"the last apart": at(base, func(as *[32]uint64) { as[31] += 4 }),
		"all the same":   at(base, func(as *[32]uint64) { *as = [32]uint64{} }),
	} {
		assert.Nil(t, row(as, data, base), name)
	}
	assert.Nil(t, row(at(base, nil), data[:124], base))
	assert.NotNil(t, row(at(base, nil), data[:128], base))
}
