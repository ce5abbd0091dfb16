package engine

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/purecuda/purecuda/abi/ptx"
)

// TestUnsupported loads every text of the corpus and counts what does not load; -v shows it.
func TestUnsupported(t *testing.T) {
	count, where, whole, all := map[string]int{}, map[string]string{}, 0, 0
	for _, set := range corpusSets(t) {
		eachCorpus(t, set, func(name, text string) {
			m, err := ptx.Parse(text)
			if err != nil {
				t.Errorf("%s/%s: %v", set, name, err)
				return
			}
			n := 0
			p, err := Load(m, LoadConfig{Arch: 90, Memory: NewMemory(1 << 30), missing: func(u *UnsupportedError) {
				n++
				count[u.What]++
				where[u.What] = name
			}})
			all++
			if u, ok := err.(*UnsupportedError); ok {
				count[u.What]++
				where[u.What] = name
			} else if err != nil {
				t.Logf("%s/%s: %v", set, name, err)
			} else if n == 0 {
				whole++
			}
			if err == nil {
				p.Unload()
			}
		})
	}
	for _, what := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%5d %s (%s)", count[what], what, where[what])
	}
	t.Logf("%d of %d texts load, %d things are not supported", whole, all, len(count))
	assert.GreaterOrEqual(t, whole, 322, "it was that many once")
}
