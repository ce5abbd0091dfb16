package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// checks are the detectors, alone and together.
var checks = map[string]Check{
	"off": {}, "uninitialised": {Uninitialised: true}, "race": {Race: true}, "both": {Uninitialised: true, Race: true}, "sync": {Sync: true},
}

// loadChecked decodes a module for a memory that remembers what is written.
func loadChecked(t testing.TB, m *ptx.Module, c *Config) (*Program, *Memory) {
	t.Helper()
	memory := NewMemory(1 << 30)
	memory.RememberWrites()
	p, err := Load(m, LoadConfig{Arch: 90, Memory: memory, Config: c})
	require.NoError(t, err)
	return p, memory
}

// TestWatchedLoads has everything that loads load with all that watches, too.
func TestWatchedLoads(t *testing.T) {
	all := &Config{Check: Check{Uninitialised: true, Race: true, Sync: true}, Count: true}
	for _, set := range corpusSets(t) {
		eachCorpus(t, set, func(name, text string) {
			m, err := ptx.Parse(text)
			require.NoError(t, err)
			_, plain := Load(m, LoadConfig{Arch: 90, Memory: NewMemory(1 << 30)})
			_, watched := Load(m, LoadConfig{Arch: 90, Memory: NewMemory(1 << 30), Config: all})
			require.Equal(t, plain, watched, "%s/%s", set, name)
		})
	}
}

// BenchmarkDetectors shows the price of each. With one worker, as races need it.
func BenchmarkDetectors(b *testing.B) {
	const n = 1 << 18
	for _, k := range []struct {
		text, name string
		params     func(x, y *Allocation) []byte
	}{
		{"01_axpy", "axpy", func(x, y *Allocation) []byte { return params(float32(2), x.Base, y.Base, uint32(n)) }},
		{"02_reduce_shared", "reduce", func(x, y *Allocation) []byte { return params(x.Base, y.Base, uint32(n)) }},
	} {
		for _, name := range []string{"off", "uninitialised", "race", "both", "sync", "count"} {
			b.Run(fmt.Sprintf("%s/%s", k.name, name), func(b *testing.B) {
				c := &Config{Check: checks[name], Count: name == "count", Workers: 1}
				text, err := ptx.Parse(corpusText(b, "nvrtc-12.4-compute_80", k.text))
				require.NoError(b, err)
				p, m := loadChecked(b, text, c)
				x, y := floats(b, m, n, func(i int) float32 { return float32(i) }), floats(b, m, n, func(i int) float32 { return 1 })
				m.Written(x.Base, 4*n)
				m.Written(y.Base, 4*n)
				l := &Launch{Kernel: p.Kernel(k.name), Grid: [3]uint32{n / 256, 1, 1}, Block: [3]uint32{256, 1, 1}, Params: k.params(x, y)}
				for b.Loop() {
					if _, err := Run(context.Background(), l, c); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mthread/s")
			})
		}
	}
}
