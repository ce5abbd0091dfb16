package corpus_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/purecuda/purecuda/driver/sim/internal/engine"
	"github.com/purecuda/purecuda/driver/sim/internal/golden"
	"github.com/purecuda/purecuda/driver/sim/internal/golden/corpus"
)

// faulty are the programs that have what the detectors look for. Each was looked at.
var faulty = map[string]map[engine.FaultKind]bool{
	"06_atomics_global at of many threads":        {engine.Race: true},          // all threads write the old values to one place
	"08_atomics_shared_hist hist of three blocks": {engine.Race: true},          // each block writes h[256] and h[257]
	"20_calls_noinline ck":                        {engine.Race: true},          // all threads write x[3]
	"25_malloc_assert mk":                         {engine.Race: true},          // all threads write p[64] to p[67]
	"30_coop_groups cgk":                          {engine.Race: true},          // y[3] is read while others write it
	"32_local_array la":                           {engine.Uninitialised: true}, // three of d's elements are never written
	"40_clock_sregs cs":                           {engine.Race: true},          // all blocks write the same places
	"41_generic_ptrs gp with global":              {engine.Race: true},          // s[k] is read while others add to s[0]
	"53_spinlock_lastblock lb":                    {engine.Race: true},          // all threads of the last block write o[1]
	"58_named_barriers nbk":                       {engine.Race: true},          // p[t] is written behind the arrival
}

// TestDetectors has the detectors find nothing in the corpus but what is there, and change no result.
func TestDetectors(t *testing.T) {
	found := map[string]bool{}
	for _, s := range sets(t) {
		if !strings.HasSuffix(s.Name, "compute_80") && !strings.HasSuffix(s.Name, "-G") {
			continue
		}
		for _, p := range corpus.Programs() {
			text, ok := s.Texts[p.File]
			if !ok {
				continue
			}
			want, err := p.Run(golden.Simulated{Config: engine.Config{Workers: 1}}, text)
			if err != nil {
				continue // TestLoads knows why
			}
			for kind, c := range map[engine.FaultKind]engine.Config{
				engine.Uninitialised: {Workers: 1, Count: true, Check: engine.Check{Uninitialised: true}},
				engine.Race:          {Check: engine.Check{Race: true}},
				engine.Undefined:     {Workers: 1, Check: engine.Check{Sync: true}},
			} {
				got, err := p.Run(golden.Simulated{Config: c}, text)
				var f *engine.Fault
				switch {
				case errors.As(err, &f) && f.Kind == kind && faulty[p.Name()][kind]:
					found[p.Name()] = true
				case assert.NoError(t, err, s.Name):
					assert.Nil(t, golden.Compare(want, got), "%s %s", s.Name, p.Name())
				}
			}
		}
	}
	for name := range faulty {
		assert.True(t, found[name], name)
	}
}
