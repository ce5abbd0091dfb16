package forms_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/driver/sim/internal/golden"
	"github.com/purecuda/purecuda/driver/sim/internal/golden/forms"
)

const recorded = "testdata"

// TestAnswers holds the engine to what a GPU gave.
func TestAnswers(t *testing.T) {
	for _, family := range forms.Families() {
		t.Run(family, func(t *testing.T) {
			answers, err := golden.ReadAnswers(forms.File(recorded, family))
			require.NoError(t, err)
			if answers == nil {
				golden.Unrecorded(t)
			}
			counts := map[forms.State]int{}
			for _, c := range forms.Cases() {
				if c.Family != family {
					continue
				}
				v := c.Verify(answers.Find(c.Name))
				counts[v.State]++
				switch v.State {
				case forms.Wrong:
					t.Error(v.Err)
				case forms.Unrecorded:
					t.Log("unverified:", c.Name)
				case forms.Refused:
					t.Log("refused:", v.Err)
				}
			}
			t.Logf("%s of %s, driver %s: %d right, %d wrong, %d unverified, %d refused", answers.About.GPU, answers.About.Date, answers.About.Driver,
				counts[forms.Right], counts[forms.Wrong], counts[forms.Unrecorded], counts[forms.Refused])
		})
	}
}

// TestGPU asks a GPU. With PURECUDA_UPDATE what it gives is written down, else the engine is compared with it.
func TestGPU(t *testing.T) {
	gpu, err := golden.OpenGPU()
	if err != nil {
		golden.Skip(t, "gpu", "no GPU: "+err.Error())
	}
	defer gpu.Close()
	answers, err := forms.Record(gpu, forms.Cases())
	assert.NoError(t, err, "what did not run has no answer")
	if os.Getenv("PURECUDA_UPDATE") != "" {
		require.NoError(t, forms.Write(recorded, gpu.About(), answers))
		t.Logf("%d of %d cases are recorded from %v", len(answers), len(forms.Cases()), gpu.About())
	}
	for _, c := range forms.Cases() {
		if a, ok := answers[c]; ok {
			if v := c.Verify(&a); v.State == forms.Wrong {
				t.Error(v.Err)
			}
		}
	}
}

// TestRecord does without a GPU what is done with one: through a driver, from module to file and back, and every form's answers are right then.
// A bit of an answer that is not as it was is found in every form.
func TestRecord(t *testing.T) {
	simulated, err := sim.New(sim.Config{})
	require.NoError(t, err)
	d, err := driver.Bind(simulated)
	require.NoError(t, err)
	m, err := golden.OnDevice(d)
	require.NoError(t, err)
	var cases []*forms.Case
	for i, c := range forms.Cases() {
		if testing.Short() && i%10 != 0 {
			continue
		}
		if m, err := (golden.Simulated{}).Load(c.Alone()); err == nil { // the others it can't do
			require.NoError(t, m.Close())
			cases = append(cases, c)
		}
	}
	answers, err := forms.Record(m, cases)
	require.NoError(t, err)
	require.Len(t, answers, len(cases))
	require.NoError(t, m.Close())
	require.Equal(t, driver.Counts{}, d.Counts())

	dir := t.TempDir()
	require.NoError(t, forms.Write(dir, m.About(), answers))
	files := map[string]*golden.Answers{}
	for _, c := range cases {
		file := files[c.Family]
		if file == nil {
			file, err = golden.ReadAnswers(forms.File(dir, c.Family))
			require.NoError(t, err)
			require.NotNil(t, file, c.Family)
			require.Equal(t, m.About(), file.About)
			files[c.Family] = file
		}
		a := file.Find(c.Name)
		require.NotNil(t, a, c.Name)
		v := c.Verify(a)
		if !assert.Equal(t, forms.Right, v.State, "%s: %v", c.Name, v.Err) {
			continue
		}
		for i, o := range a.Outputs {
			bad := slices.Clone(a.Outputs)
			bad[i].Data = slices.Clone(o.Data)
			at := o.Width * (7 * i % o.Len())
			if forms.Approximate(c.Form) || strings.HasSuffix(c.Name, " of unit") {
				bad[i].Data[at+o.Width-1] ^= 0x40 // the highest bit of an exponent: the lowest bits may differ
			} else {
				bad[i].Data[at] ^= 1
			}
			assert.Equal(t, forms.Wrong, c.Judge(bad, a.Outputs).State, "%s: a wrong bit in output %d goes unseen", c.Name, i)
			assert.Equal(t, forms.Wrong, c.Judge(a.Outputs, bad).State, "%s: a wrong bit of the engine in output %d goes unseen", c.Name, i)
		}
	}
	other := answers[cases[0]]
	other.Key = "of another question"
	assert.Equal(t, forms.Unrecorded, cases[0].Verify(&other).State)
}
