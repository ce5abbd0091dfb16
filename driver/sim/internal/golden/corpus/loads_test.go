package corpus_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/engine"
	"github.com/purecuda/purecuda/driver/sim/internal/golden/corpus"
)

// TestLoads holds LOADS.md to the engine: which texts of the corpus it loads whole, and what it names where it does not.
func TestLoads(t *testing.T) {
	all := sets(t)
	files, reasons := map[string]bool{}, []string(nil)
	cell := map[string]map[string]string{}
	for _, s := range all {
		cell[s.Name] = map[string]string{}
		for file, text := range s.Texts {
			files[file] = true
			err := corpus.Loads(text)
			if err == nil {
				cell[s.Name][file] = "·"
				continue
			}
			if file == "B47" { // 50,000 bytes of static shared memory, which ptxas refuses, too
				assert.ErrorContains(t, err, "uses too much shared data")
				cell[s.Name][file] = "more static shared memory than there can be"
				if !slices.Contains(reasons, cell[s.Name][file]) {
					reasons = append(reasons, cell[s.Name][file])
				}
				continue
			}
			var u *engine.UnsupportedError
			if assert.True(t, errors.As(err, &u), "%s of %s: %v", file, s.Name, err) {
				what := strings.TrimSuffix(u.What, ",")
				if !slices.Contains(reasons, what) {
					reasons = append(reasons, what)
				}
				cell[s.Name][file] = what
			}
		}
	}
	slices.Sort(reasons)
	var b strings.Builder
	b.WriteString("# What of the corpus the engine loads\n\nGenerated: `PURECUDA_UPDATE=1 go test ./driver/sim/internal/golden/corpus`. A dot: it loads whole. A number: it is refused, for what stands below. Empty: that compiler did not compile it for that architecture.\n\n| file |")
	for i := range all {
		fmt.Fprintf(&b, " %c |", 'a'+i)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(all)) + "\n")
	whole, of := 0, 0
	for _, file := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "| %s |", file)
		for _, s := range all {
			c := cell[s.Name][file]
			if c != "" {
				of++
			}
			if c == "·" {
				whole++
			} else if c != "" {
				c = fmt.Sprint(slices.Index(reasons, c) + 1)
			}
			fmt.Fprintf(&b, " %s |", c)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\n%d of %d load.\n\n", whole, of)
	for i, s := range all {
		fmt.Fprintf(&b, "- %c: %s\n", 'a'+i, s.Name)
	}
	b.WriteString("\n")
	for i, r := range reasons {
		fmt.Fprintf(&b, "%d. %s\n", i+1, r)
	}
	if os.Getenv("PURECUDA_UPDATE") != "" {
		require.NoError(t, os.WriteFile("LOADS.md", []byte(b.String()), 0o644))
		return
	}
	have, err := os.ReadFile("LOADS.md")
	require.NoError(t, err)
	if string(have) != b.String() {
		t.Errorf("LOADS.md is not up to date: run this test with PURECUDA_UPDATE=1. It would say %d of %d load", whole, of)
	}
}
