package engine

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// TestCoverage loads every text of the corpus and lists what does not load, and why: go test -run Coverage -v.
func TestCoverage(t *testing.T) {
	missing, files, loaded := map[string]int{}, 0, 0
	for _, set := range corpusSets(t) {
		eachCorpus(t, set, func(name, text string) {
			m, err := ptx.Parse(text)
			require.NoError(t, err, "%s/%s", set, name)
			files++
			_, err = Load(m, LoadConfig{Arch: 90, Memory: NewMemory(1 << 30)})
			if err == nil {
				loaded++
				return
			}
			var u *UnsupportedError
			if errors.As(err, &u) {
				missing[u.What]++
			} else {
				missing[set+"/"+name+": "+err.Error()]++
			}
		})
	}
	whats := slices.SortedFunc(maps.Keys(missing), func(a, b string) int { return missing[b] - missing[a] })
	for _, what := range whats {
		t.Logf("%4d %s", missing[what], what)
	}
	t.Logf("%d of %d load", loaded, files)
}
