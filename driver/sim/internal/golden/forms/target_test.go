package forms

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

var complaint = regexp.MustCompile(`line (\d+); (?:error|fatal) *: (.*)`)

// assemble gives the complaints of the assembler, by case; for sm_90.
func assemble(t *testing.T, tool string, target Target, cases []*Case) map[*Case]string {
	t.Helper()
	m := &Module{Target: target}
	text := m.head()
	first := map[int]*Case{} // by line
	line := strings.Count(text, "\n") + 1
	var starts []int
	for _, c := range cases {
		first[line] = c
		starts = append(starts, line)
		body := c.Text() + "\n"
		text += body
		line += strings.Count(body, "\n")
	}
	out := golden.Assemble(t, tool, text, "-O1")
	if out == "" {
		return nil
	}
	bad := map[*Case]string{}
	for _, m := range complaint.FindAllStringSubmatch(out, -1) {
		at, _ := strconv.Atoi(m[1])
		i, exact := slices.BinarySearch(starts, at)
		if !exact {
			i--
		}
		if i < 0 {
			t.Fatalf("%s: %s", target, out)
		}
		if c := first[starts[i]]; bad[c] == "" {
			bad[c] = m[2]
		}
	}
	require.NotEmpty(t, bad, "%s", out)
	return bad
}

// TestTargets asks the assembler for which target each case is one: what it says is in targets.txt, which PURECUDA_UPDATE writes.
func TestTargets(t *testing.T) {
	tool := golden.PTXAS(t)
	if os.Getenv("PURECUDA_UPDATE") == "" {
		for _, m := range Modules(Cases()) {
			for c, why := range assemble(t, tool, m.Target, m.Cases) {
				t.Errorf("%s for %s of PTX %s: %s", c.Name, m.Target.Arch, m.Target.Version, why)
			}
		}
		return
	}
	left, why := Cases(), map[*Case]string{}
	var b strings.Builder
	for _, target := range ladder {
		fmt.Fprintf(&b, "%s %s\n", target.Version, target.Arch)
		var taken, rest []*Case
		for chunk := range slices.Chunk(left, perModule) {
			for len(chunk) > 0 { // one that is refused may hide another
				bad := assemble(t, tool, target, chunk)
				if len(bad) == 0 {
					break
				}
				var good []*Case
				for _, c := range chunk {
					if s, ok := bad[c]; ok {
						why[c] = s
						rest = append(rest, c)
					} else {
						good = append(good, c)
					}
				}
				chunk = good
			}
			taken = append(taken, chunk...)
		}
		for _, c := range taken {
			fmt.Fprintf(&b, "\t%s\n", c.Name)
		}
		t.Logf("%s %s: %d", target.Version, target.Arch, len(taken))
		left = rest
	}
	b.WriteString("refused\n")
	for _, c := range left {
		fmt.Fprintf(&b, "\t%s\t%s\n", c.Name, why[c])
		t.Logf("%s: %s", c.Name, why[c])
	}
	require.NoError(t, os.WriteFile("targets.txt", []byte(b.String()), 0o644))
}

// TestCases holds the list to rules that the files rely on.
func TestCases(t *testing.T) {
	names, kernels := map[string]bool{}, map[string]string{}
	for _, c := range Cases() {
		assert.False(t, names[c.Name], "two cases are called %s", c.Name)
		names[c.Name] = true
		assert.Empty(t, kernels[c.Kernel()], "%s has the kernel of another", c.Name)
		kernels[c.Kernel()] = c.Name
		assert.Zero(t, c.Count%blockThreads, c.Name)
		for _, k := range slices.Concat(c.In, c.Out) {
			assert.NotZero(t, kindOf(k).size, "%s: no kind %s", c.Name, k)
		}
	}
}
