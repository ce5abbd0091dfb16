package mutate_test

import (
	"encoding/binary"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
	"github.com/purecuda/purecuda/driver/sim/internal/golden/corpus"
	"github.com/purecuda/purecuda/driver/sim/internal/golden/mutate"
	"github.com/purecuda/purecuda/driver/sim/internal/golden/random"
)

// originals are the texts that are broken: of the corpus the shorter ones, and random programs.
func originals(t testing.TB) []string {
	t.Helper()
	corpus.Folders = []string{"../../../../../abi/ptx/testdata"}
	sets, err := corpus.Sets()
	require.NoError(t, err)
	var all []string
	for _, s := range sets {
		if s.Name != "nvrtc-12.4-compute_90a" && s.Name != "nvrtc-11.2-compute_52" && s.Name != "nvrtc-12.4-compute_80-G" && s.Name != "nvrtc-13.0-compute_80" {
			continue
		}
		var names []string
		for name := range s.Texts {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			if len(s.Texts[name]) < 24<<10 {
				all = append(all, s.Texts[name])
			}
		}
	}
	for seed := range 40 {
		all = append(all, random.New(seed).Text)
	}
	return all
}

func two(all []string, which uint32) (string, string) {
	return all[int(which%1009)%len(all)], all[int(which/1009)%len(all)]
}

func tryText(t *testing.T, all []string, which uint32, choices []byte) bool {
	text, other := two(all, which)
	c := mutate.NewChoices(choices)
	m, err := ptx.Parse(mutate.Text(c, text, other))
	if err != nil {
		return false
	}
	require.NoError(t, mutate.Try(m, c), "%s", m)
	return true
}

func tryTree(t *testing.T, all []string, which uint32, choices []byte) bool {
	text, other := two(all, which)
	m, err := ptx.Parse(text)
	require.NoError(t, err)
	o, err := ptx.Parse(other)
	require.NoError(t, err)
	c := mutate.NewChoices(choices)
	mutate.Tree(c, m, o)
	if m, err = ptx.Parse(m.Print()); err != nil {
		return false
	}
	require.NoError(t, mutate.Try(m, c), "%s", m)
	return true
}

// FuzzText lets the engine load and run broken texts.
func FuzzText(f *testing.F) {
	all := originals(f)
	for i := range uint32(8) {
		f.Add(i*101, []byte{byte(i), 3, 1, 4, 1, 5, 9, 2, 6})
	}
	f.Fuzz(func(t *testing.T, which uint32, choices []byte) { tryText(t, all, which, choices) })
}

// FuzzTree lets the engine load and run broken trees.
func FuzzTree(f *testing.F) {
	all := originals(f)
	for i := range uint32(8) {
		f.Add(i*101, []byte{byte(i), 3, 1, 4, 1, 5, 9, 2, 6})
	}
	f.Fuzz(func(t *testing.T, which uint32, choices []byte) { tryTree(t, all, which, choices) })
}

// TestMutations tries some hundreds of each, the same ones each time: fuzzing goes on from there.
func TestMutations(t *testing.T) {
	all := originals(t)
	n, texts, trees := uint32(1500), 0, 0
	if testing.Short() {
		n = 200
	}
	for i := range n {
		choices := binary.LittleEndian.AppendUint32(nil, i*2654435761)
		if tryText(t, all, i*7919, choices) {
			texts++
		}
		if tryTree(t, all, i*104729, choices) {
			trees++
		}
	}
	t.Logf("of %d broken texts %d could be read, of as many trees %d", n, texts, trees)
	require.Greater(t, texts, int(n)/4)
	require.Greater(t, trees, int(n)/4)
}
