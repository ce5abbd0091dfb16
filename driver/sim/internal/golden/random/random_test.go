package random_test

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
	"github.com/purecuda/purecuda/driver/sim/internal/golden"
	"github.com/purecuda/purecuda/driver/sim/internal/golden/random"
)

// programs are those of the first n seeds.
func programs(n int) []*random.Program {
	all := make([]*random.Program, n)
	for i := range all {
		all[i] = random.New(i)
	}
	return all
}

// TestOrders runs programs with one worker, several, and in bad orders, on the engine and through the driver: they give the same.
func TestOrders(t *testing.T) {
	n := 80
	if testing.Short() {
		n = 10
	}
	all := programs(n)
	want, err := random.Outputs(golden.Simulated{Config: engine.Config{Workers: 1}}, all)
	require.NoError(t, err)
	for _, c := range []engine.Config{{Workers: 4}, {Worst: true, Seed: 1}, {Worst: true, Seed: 2}, {Worst: true, Seed: 77}, {Workers: 1, Check: engine.Check{Uninitialised: true, Race: true}}} {
		got, err := random.Outputs(golden.Simulated{Config: c}, all)
		assert.NoError(t, err)
		for _, p := range all {
			assert.True(t, bytes.Equal(want[p], got[p]), "program %d with %d workers, seed %d: %s", p.Seed, c.Workers, c.Seed, p.Where(want[p], got[p]))
		}
	}
	for _, c := range []sim.Config{{Workers: 3}, {Scheduler: sim.Worst, Seed: 5}} {
		simulated, err := sim.New(c)
		require.NoError(t, err)
		d, err := driver.Bind(simulated)
		require.NoError(t, err)
		m, err := golden.OnDevice(d)
		require.NoError(t, err)
		got, err := random.Outputs(m, all)
		require.NoError(t, err)
		for _, p := range all {
			assert.True(t, bytes.Equal(want[p], got[p]), "program %d through the driver: %s", p.Seed, p.Where(want[p], got[p]))
		}
		require.NoError(t, m.Close())
	}
}

// TestPrograms looks at the programs themselves: that they are the same each time, that each is another, and that they have in them what they are for.
func TestPrograms(t *testing.T) {
	have := map[string]int{}
	outputs := map[string]bool{}
	for _, p := range programs(60) {
		require.Equal(t, p, random.New(p.Seed))
		m, err := ptx.Parse(p.Text)
		require.NoError(t, err)
		for _, f := range m.Functions() {
			for in := range f.Instructions() {
				have[in.Opcode]++
			}
		}
		out, err := p.Run(golden.Simulated{})
		require.NoError(t, err, p.Seed)
		outputs[string(out)] = true
	}
	assert.Len(t, outputs, 60)
	for _, opcode := range []string{"bra", "brx", "call", "ret", "shfl", "vote", "match", "redux", "bar", "red", "atom", "fma", "lop3", "addc", "div", "sqrt", "cvt", "setp", "selp", "ld", "st"} {
		assert.Greater(t, have[opcode], 5, opcode)
	}
}

// TestPtxas asks NVIDIA's assembler whether these are programs.
func TestPtxas(t *testing.T) {
	tool := golden.PTXAS(t)
	for _, p := range programs(12) {
		assert.Empty(t, golden.Assemble(t, tool, p.Text, "-O1"), "program %d", p.Seed)
	}
}

// TestAnswers holds the engine to what a GPU gave, of which a digest is kept.
func TestAnswers(t *testing.T) {
	answers, err := golden.ReadAnswers(random.File)
	require.NoError(t, err)
	if answers == nil {
		golden.Unrecorded(t)
	}
	right, open, unverified := 0, 0, 0
	for _, p := range programs(random.Recorded) {
		a := answers.Find(p.Name())
		if a == nil || a.Key != p.Key() {
			unverified++
			continue
		}
		ok, err := p.Agrees(golden.Simulated{}, a.Outputs)
		require.NoError(t, err, p.Seed)
		switch {
		case random.Open[p.Seed]:
			assert.False(t, ok, "program %d agrees: it is open no more", p.Seed)
			open++
		case assert.True(t, ok, "program %d gives something else than on %s: ci/gpu run says where", p.Seed, answers.About.GPU):
			right++
		}
	}
	t.Logf("%s of %s, driver %s: %d right, %d open, %d unverified", answers.About.GPU, answers.About.Date, answers.About.Driver, right, open, unverified)
}

// TestGPU compares the engine with a GPU. With PURECUDA_UPDATE digests of what that gives are written down.
func TestGPU(t *testing.T) {
	gpu, err := golden.OpenGPU()
	if err != nil {
		golden.Skip(t, "gpu", "no GPU: "+err.Error())
	}
	defer gpu.Close()
	all := programs(random.Recorded)
	want, err := random.Outputs(gpu, all)
	assert.NoError(t, err)
	got, err := random.Outputs(golden.Simulated{Config: engine.Config{Workers: 1}}, all)
	assert.NoError(t, err)
	a := &golden.Answers{About: gpu.About()}
	for _, p := range all {
		if want[p] != nil {
			if !bytes.Equal(want[p], got[p]) && !random.Open[p.Seed] {
				ok, err := p.Agrees(golden.Simulated{}, random.Digest(want[p]))
				assert.NoError(t, err)
				assert.True(t, ok, "program %d: %s", p.Seed, p.Where(want[p], got[p]))
			}
			a.Answers = append(a.Answers, golden.Answer{Name: p.Name(), Key: p.Key(), Outputs: random.Digest(want[p])})
		}
	}
	if os.Getenv("PURECUDA_UPDATE") != "" {
		require.NoError(t, a.Write(random.File))
	}
}

// TestWhere finds one wrong bit.
func TestWhere(t *testing.T) {
	p := random.New(1)
	out, err := p.Run(golden.Simulated{})
	require.NoError(t, err)
	bad := slices.Clone(out)
	bad[len(bad)/2] ^= 1
	assert.NotNil(t, golden.Compare(random.Digest(out), random.Digest(bad)))
	assert.Regexp(t, `^thread \d+, %[a-z]\d+: 0x[0-9a-f]+ instead of 0x[0-9a-f]+$`, p.Where(out, bad))
}
