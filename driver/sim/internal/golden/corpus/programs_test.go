package corpus_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/engine"
	"github.com/purecuda/purecuda/driver/sim/internal/golden"
	"github.com/purecuda/purecuda/driver/sim/internal/golden/corpus"
)

func sets(t *testing.T) []*corpus.Set {
	t.Helper()
	all, err := corpus.Sets()
	require.NoError(t, err)
	return all
}

// unresolved are the programs that NVRTCs before 12 left with a call of a function that is not there.
func unresolved(s *corpus.Set, p *corpus.Program) bool {
	return p.File == "36_bitops" && strings.HasPrefix(s.Name, "nvrtc-11.") && !strings.Contains(s.Name, "compute_52")
}

// beyond are the programs whose inline assembly asks for more than the target of the text has: ptxas, and so a GPU, refuses them. The engine, which
// does not hold instructions against targets, runs them.
func beyond(s *corpus.Set, p *corpus.Program) bool {
	has := func(arch string) bool { return strings.Contains(s.Name, "-compute_"+arch) }
	switch p.File {
	case "28_mma_asm", "57_mbarrier_async":
		return has("52") || has("70") || has("75")
	case "37_simd_video":
		return s.Name == "nvrtc-12.4-compute_80-G" // halves of words, which -G leaves in functions that nobody calls; from sm_90
	}
	return false
}

// TestPrograms runs every program of every set on the engine. What one source gives must not depend on who compiled it: not at all where no
// floating-point number is rounded, within the bound elsewhere.
func TestPrograms(t *testing.T) {
	first := map[string][]golden.Output{}
	from := map[string]string{}
	for _, s := range sets(t) {
		for _, p := range corpus.Programs() {
			text, ok := s.Texts[p.File]
			if !ok {
				continue
			}
			got, err := p.Run(golden.Simulated{}, text)
			if unresolved(s, p) {
				assert.ErrorContains(t, err, "__dp4a")
				continue
			}
			if !assert.NoError(t, err, "%s: %s", s.Name, p.Name()) {
				continue
			}
			if want := first[p.Name()]; want == nil {
				first[p.Name()], from[p.Name()] = got, s.Name
			} else if _, err := p.Near(want, got); err != nil {
				t.Errorf("%s is not as of %s: %v", s.Name, from[p.Name()], err)
			}
		}
	}
	assert.Len(t, first, len(corpus.Programs()))
}

// TestNothingIsForgotten holds the programs to the corpus: each of its files has one, but for a few.
func TestNothingIsForgotten(t *testing.T) {
	have := map[string]bool{"24_printf": true, "26_texture_surface": true, "60_dynpar": true, "71_hopper_asm": true} // whose results are no numbers, or that are refused
	for _, p := range corpus.Programs() {
		have[p.File] = true
	}
	for _, s := range sets(t) {
		for file := range s.Texts {
			assert.True(t, have[file] || strings.HasPrefix(file, "B") || strings.HasPrefix(file, "X"), "%s of %s has no program", file, s.Name)
		}
	}
}

// TestOrders runs programs with one worker and several, and with the order that is worst: the results are the same, since no program compares what an
// order changes.
func TestOrders(t *testing.T) {
	machines := []golden.Simulated{
		{Config: engine.Config{Workers: 4}}, {Config: engine.Config{Worst: true, Seed: 1}}, {Config: engine.Config{Worst: true, Seed: 2}}, {Config: engine.Config{Worst: true, Seed: 3}},
	}
	for _, s := range sets(t) {
		if s.Name != "nvrtc-12.4-compute_80" && s.Name != "nvrtc-12.4-compute_80-G" && s.Name != "nvrtc-13.0-compute_90a" {
			continue
		}
		for _, p := range corpus.Programs() {
			text, ok := s.Texts[p.File]
			if !ok {
				continue
			}
			want, err := p.Run(golden.Simulated{Config: engine.Config{Workers: 1}}, text)
			require.NoError(t, err, "%s: %s", s.Name, p.Name())
			for _, m := range machines {
				got, err := p.Run(m, text)
				require.NoError(t, err, "%s: %s", s.Name, p.Name())
				d := golden.Compare(want, got)
				assert.Nil(t, d, "%s: %s, with %d workers, seed %d: %s", s.Name, p.Name(), m.Config.Workers, m.Config.Seed, d)
			}
		}
	}
}
