package forms_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/engine"
	"github.com/purecuda/purecuda/driver/sim/internal/golden"
	"github.com/purecuda/purecuda/driver/sim/internal/golden/forms"
)

// written compares a file with what it should be, or writes it with PURECUDA_UPDATE.
func written(t *testing.T, path, text string) {
	t.Helper()
	if os.Getenv("PURECUDA_UPDATE") != "" {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	if string(have) != text {
		t.Errorf("%s is not up to date: run this test with PURECUDA_UPDATE=1", path)
	}
}

// TestFormsTable holds FORMS.md to the engine: every form, what does it, and which file has the answers.
func TestFormsTable(t *testing.T) {
	type row struct {
		cases    int
		target   forms.Target
		families map[string]bool
	}
	rows := map[string]*row{}
	for _, c := range forms.Cases() {
		target, ok := c.Target()
		assert.True(t, ok, "%s is in no line of targets.txt: %s", c.Name, c.Refused())
		r := rows[c.Form]
		if r == nil {
			r = &row{target: target, families: map[string]bool{}}
			rows[c.Form] = r
		}
		r.cases++
		r.families[c.Family] = true
	}
	table := map[string]string{}
	for _, f := range engine.Forms() {
		table[f.Name] = f.Func
	}
	decoders := engine.Decoders()
	var b strings.Builder
	b.WriteString("# The forms of PTX instructions that are compared with a GPU\n\nGenerated: `PURECUDA_UPDATE=1 go test ./driver/sim/internal/golden/forms`. " +
		"*Done by* is a function of engine/zforms.go, made of a line of engine/forms.txt, or the file in engine that decodes the form. *PTX, target* is the first of a few that NVIDIA's assembler takes it for. " +
		"*Answers* is the file in testdata with what a GPU gave, *kernels* how many there are for the form. Of instructions that only move control (bra, call, ret, exit, bar.arrive, nanosleep …) the programs of ../corpus and ../random are the test.\n\n" +
		"| form | done by | PTX, target | answers | kernels |\n|---|---|---|---|---|\n")
	for _, form := range slices.Sorted(maps.Keys(rows)) {
		r, by := rows[form], table[form]
		if by == "" {
			opcode, _, _ := strings.Cut(form, ".")
			by = decoders[opcode]
		}
		if m, err := (golden.Simulated{}).Load(caseOf(form).Alone()); err != nil {
			by = "refused"
		} else {
			require.NoError(t, m.Close())
		}
		fmt.Fprintf(&b, "| %s | %s | %s, %s | %s | %d |\n", form, by, r.target.Version, r.target.Arch, strings.Join(slices.Sorted(maps.Keys(r.families)), " "), r.cases)
	}
	written(t, "FORMS.md", b.String())
}

func caseOf(form string) *forms.Case {
	for _, c := range forms.Cases() {
		if c.Form == form {
			return c
		}
	}
	return nil
}

// control are the opcodes whose effect is not a value: programs test them.
var control = []string{"bra", "brx", "call", "ret", "exit", "trap", "brkpt", "nanosleep", "membar", "fence", "prefetch", "prefetchu", "discard", "applypriority", "pmevent", "griddepcontrol", "setmaxnreg",
	"cvta", "createpolicy", "cp", "mbarrier", "mapa", "getctarank"}

// TestEveryOpcode holds the list of cases to the engine: an opcode that it decodes has a case.
func TestEveryOpcode(t *testing.T) {
	have := map[string]bool{}
	for _, c := range forms.Cases() {
		opcode, _, _ := strings.Cut(c.Form, ".")
		have[opcode] = true
	}
	for _, opcode := range slices.Sorted(maps.Keys(engine.Decoders())) {
		assert.True(t, have[opcode] || slices.Contains(control, opcode), "%s has no case", opcode)
	}
}

// TestApproximationsTable holds APPROX.md to what was recorded: how far the approximate forms are from exact, and from each other.
func TestApproximationsTable(t *testing.T) {
	answers, err := golden.ReadAnswers(forms.File(recorded, "approx"))
	require.NoError(t, err)
	if answers == nil {
		golden.Unrecorded(t)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# How exact the approximate forms are\n\nGenerated: `PURECUDA_UPDATE=1 go test ./driver/sim/internal/golden/forms`. Largest errors over the operands that are in testdata/approx.gz, "+
		"as a share of what the manual allows: of the GPU (%s, driver %s) and of the simulated device; and how far apart the two are at most, in units of the last place.\n\n"+
		"| form | the manual allows | GPU | simulated | apart |\n|---|---|---|---|---|\n", answers.About.GPU, answers.About.Driver)
	for _, c := range forms.Cases() {
		if a := answers.Find(c.Name); forms.Approximate(c.Form) && a != nil {
			v := c.Verify(a)
			fmt.Fprintf(&b, "| %s | %s | %.2f | %.2f | %d |\n", c.Form, v.Errors.Allowed, v.Errors.Want, v.Errors.Got, v.Errors.Apart)
		}
	}
	written(t, "APPROX.md", b.String())
}
