package ptx_test

import (
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

var tokens = regexp.MustCompile(`"[^"]*"|[%$_A-Za-z][\w$]*|\.[\w:]+|[0-9][\w.]*|\s+|//[^\n]*|.`)

// A mutator drops, doubles and exchanges the words of real PTX and mixes them with others'.
type mutator struct {
	r     *rand.Rand
	texts [][]string
	pool  []string
}

func newMutator(t *testing.T, seed uint64, take func(sample) bool) *mutator {
	m := &mutator{r: rand.New(rand.NewPCG(1, seed))}
	for _, s := range corpus(t) {
		if take(s) {
			m.add(s.text)
		}
	}
	return m
}

func (m *mutator) add(text string) {
	words := tokens.FindAllString(text, -1)
	m.texts = append(m.texts, words)
	m.pool = append(m.pool, words...)
}

func (m *mutator) next() string {
	words := append([]string(nil), m.texts[m.r.IntN(len(m.texts))]...)
	for range 1 + m.r.IntN(3) {
		i, j, other := m.r.IntN(len(words)), m.r.IntN(len(words)), m.pool[m.r.IntN(len(m.pool))]
		switch m.r.IntN(5) {
		case 0:
			words[i] = ""
		case 1:
			words[i] += words[i]
		case 2:
			words[i], words[j] = words[j], words[i]
		case 3:
			words[i] = other
		case 4:
			words[i] += other
		}
	}
	return strings.Join(words, "")
}

func mutations(count int) int {
	if n, err := strconv.Atoi(os.Getenv("PURECUDA_MUTATIONS")); err == nil {
		return n
	}
	return count
}

// Mutated PTX is either refused or read and printed alike. Fuzzing by bytes seldom comes to texts that are read.
// PURECUDA_MUTATIONS sets how many are tried.
func TestMutatedWords(t *testing.T) {
	count, read := mutations(3000), 0
	m := newMutator(t, uint64(count), func(s sample) bool {
		return len(s.text) < 8000 && (strings.HasSuffix(s.archive, "compute_90a") || strings.HasSuffix(s.archive, "70-lineinfo"))
	})
	for _, f := range features {
		m.add(f.text())
	}
	for _, e := range constantExpressions {
		m.add(head + ".global .u64 v = " + e + ";\n")
	}
	for range count {
		text := m.next()
		if _, err := ptx.Parse(text); err == nil {
			read++
		}
		roundTrip(t, text)
		if t.Failed() {
			t.Fatalf("%q", text)
		}
	}
	t.Logf("%d of %d were read", read, count)
	require.Greater(t, read, count/10)
}

// What both this package and ptxas read must be the same program to them: the printed text assembles as the mutated one does.
func TestPtxasReadsMutatedWordsAlike(t *testing.T) {
	tool := ptxas(t)
	count, both, onlyPtxas := mutations(150), 0, map[string]int{}
	m := newMutator(t, uint64(count)+7, func(s sample) bool {
		return len(s.text) < 3500 && s.archive == "nvrtc-12.4-compute_80"
	})
	for _, f := range features {
		m.add(strings.Replace(f.text(), "sm_90a", "sm_80", 1))
	}
	for range count {
		text := m.next()
		tree, parseErr := ptx.Parse(text)
		want, _ := assemble(t, tool, text, "sm_80")
		switch {
		case want == nil:
		case parseErr != nil:
			onlyPtxas[parseErr.Error()]++
		default:
			got, why := assemble(t, tool, tree.Print(), "sm_80")
			require.NotNil(t, got, "%s\n%s", why, text)
			require.Equal(t, contents(t, want), contents(t, got), "%s", text)
			both++
		}
	}
	t.Logf("%d were read by both; by ptxas alone: %v", both, onlyPtxas)
	require.Greater(t, both, count/20)
}
