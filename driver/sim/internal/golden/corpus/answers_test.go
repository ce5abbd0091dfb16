package corpus_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/driver/sim/internal/golden"
	"github.com/purecuda/purecuda/driver/sim/internal/golden/corpus"
)

// on are the questions that a device of an architecture can be asked.
func on(arch int, all []*corpus.Set) []*corpus.Question {
	return corpus.Questions(slices.DeleteFunc(slices.Clone(all), func(s *corpus.Set) bool { return !s.RunsOn(arch) }))
}

// TestAnswers holds the engine to what a GPU gave.
func TestAnswers(t *testing.T) {
	answers, err := golden.ReadAnswers(corpus.File)
	require.NoError(t, err)
	if answers == nil {
		golden.Unrecorded(t)
	}
	exact, bounded, largest, unverified := 0, 0, 0.0, []string(nil)
	for _, q := range on(answers.About.Arch, sets(t)) {
		a := answers.Find(q.Name())
		if a == nil || a.Key != q.Key() {
			if !unresolved(q.Set, q.Program) && !beyond(q.Set, q.Program) {
				unverified = append(unverified, q.Name())
			}
			continue
		}
		got, err := q.Program.Run(golden.Simulated{}, q.Text)
		if !assert.NoError(t, err, q.Name()) {
			continue
		}
		share, err := q.Judge(a.Outputs, got)
		assert.NoError(t, err)
		if q.Exact {
			exact++
		} else {
			bounded++
			largest = max(largest, share)
		}
	}
	t.Logf("%s of %s, driver %s: %d bit for bit, %d within a bound (the largest difference is %.3f of it), %d unverified", answers.About.GPU, answers.About.Date, answers.About.Driver, exact, bounded, largest, len(unverified))
	for _, name := range unverified {
		t.Log("unverified:", name)
	}
}

// TestGPU asks a GPU. With PURECUDA_UPDATE what it gives is written down, else the engine is compared with it.
func TestGPU(t *testing.T) {
	gpu, err := golden.OpenGPU()
	if err != nil {
		golden.Skip(t, "gpu", "no GPU: "+err.Error())
	}
	defer gpu.Close()
	questions := slices.DeleteFunc(on(gpu.About().Arch, sets(t)), func(q *corpus.Question) bool {
		return unresolved(q.Set, q.Program) || beyond(q.Set, q.Program)
	})
	answers, err := corpus.Record(gpu, questions)
	assert.NoError(t, err, "what did not run has no answer")
	if os.Getenv("PURECUDA_UPDATE") != "" {
		require.NoError(t, corpus.Write(corpus.File, gpu.About(), questions, answers))
		t.Logf("%d of %d are recorded from %v", len(answers), len(questions), gpu.About())
	}
	for q, a := range answers {
		got, err := q.Program.Run(golden.Simulated{}, q.Text)
		if assert.NoError(t, err, q.Name()) {
			_, err = q.Judge(a.Outputs, got)
			assert.NoError(t, err)
		}
	}
}

// TestRecord does without a GPU what is done with one, through the simulated driver, and finds a wrong bit in every answer.
func TestRecord(t *testing.T) {
	simulated, err := sim.New(sim.Config{})
	require.NoError(t, err)
	d, err := driver.Bind(simulated)
	require.NoError(t, err)
	m, err := golden.OnDevice(d)
	require.NoError(t, err)
	some := slices.DeleteFunc(sets(t), func(s *corpus.Set) bool {
		return s.Name != "nvrtc-12.4-compute_90a" && s.Name != "nvrtc-12.4-compute_80-G" && s.Name != "nvrtc-12.4-compute_90-nofmad"
	})
	questions := on(90, some)
	answers, err := corpus.Record(m, questions)
	require.NoError(t, err)
	require.Len(t, answers, len(questions))
	require.NoError(t, m.Close())
	require.Equal(t, driver.Counts{}, d.Counts())

	path := filepath.Join(t.TempDir(), "answers.gz")
	require.NoError(t, corpus.Write(path, m.About(), questions, answers))
	file, err := golden.ReadAnswers(path)
	require.NoError(t, err)
	require.Len(t, file.Answers, len(questions))
	exact := 0
	for _, q := range questions {
		a := file.Find(q.Name())
		require.NotNil(t, a, q.Name())
		require.Equal(t, q.Key(), a.Key)
		got, err := q.Program.Run(golden.Simulated{}, q.Text)
		require.NoError(t, err)
		share, err := q.Judge(a.Outputs, got)
		require.NoError(t, err)
		assert.Zero(t, share)
		if !q.Exact {
			continue
		}
		exact++
		for i, o := range got {
			o.Data = slices.Clone(o.Data)
			o.Data[len(o.Data)/2] ^= 1
			bad := slices.Clone(got)
			bad[i] = o
			_, err = q.Judge(a.Outputs, bad)
			assert.Error(t, err, "%s: a wrong bit in output %d goes unseen", q.Name(), i)
		}
	}
	assert.Greater(t, exact, len(questions)/2)
}

func TestPin(t *testing.T) {
	for text, want := range map[string]string{
		"add.f32 %f1, %f2, %f3;":     "add.rn.f32 %f1, %f2, %f3;",
		"mul.ftz.f32 %f1, %f2, %f3;": "mul.rn.ftz.f32 %f1, %f2, %f3;",
		"sub.ftz.sat.f32 a, b, c;":   "sub.rn.ftz.sat.f32 a, b, c;",
		"mul.f64 a, b, c;":           "mul.rn.f64 a, b, c;",
		"add.f16x2 a, b, c;":         "add.rn.f16x2 a, b, c;",
		"add.rz.f32 a, b, c;":        "add.rz.f32 a, b, c;",
		"add.s32 a, b, c;":           "add.s32 a, b, c;",
		"atom.add.f32 a, [b], c;":    "atom.add.f32 a, [b], c;",
		"red.global.add.f32 [b], c;": "red.global.add.f32 [b], c;",
		"fma.rn.f32 a, b, c, d;":     "fma.rn.f32 a, b, c, d;",
	} {
		assert.Equal(t, want, corpus.Pin(text))
	}
	for _, s := range sets(t) {
		for file, text := range s.Texts {
			if pinned := corpus.Pin(text); pinned != text {
				inline := file == "12_half" || file == "14_bf16" // whose headers have them as they are
				assert.False(t, strings.HasSuffix(s.Name, "-nofmad") && !inline, "%s of %s was compiled without fma", file, s.Name)
				assert.Equal(t, pinned, corpus.Pin(pinned))
				if strings.HasPrefix(s.Name, "nvrtc-13.0-") {
					assert.Equal(t, corpus.Loads(text) == nil, corpus.Loads(pinned) == nil, "%s of %s", file, s.Name)
				}
			}
		}
	}
}

// TestPtxasTakesPinned asks the assembler about pinned texts.
func TestPtxasTakesPinned(t *testing.T) {
	tool := golden.PTXAS(t)
	for _, s := range sets(t) {
		if s.Name != "nvrtc-12.4-compute_90a" {
			continue
		}
		for file, text := range s.Texts {
			if corpus.Pin(text) != text && corpus.Loads(text) == nil {
				assert.Empty(t, golden.Assemble(t, tool, corpus.Pin(text), "-arch=sm_90a"), file)
			}
		}
	}
}

func TestRunsOn(t *testing.T) {
	for _, s := range sets(t) {
		assert.Equal(t, s.Name != "nvrtc-13.0-compute_120", s.RunsOn(90), s.Name)
		assert.Equal(t, !strings.HasSuffix(s.Name, "a"), s.RunsOn(120), s.Name)
		assert.Equal(t, strings.Contains(s.Name, "compute_52"), s.RunsOn(52), s.Name)
	}
}
