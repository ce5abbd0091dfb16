package forms

import (
	_ "embed"
	"strings"
	"sync"
)

// A Target is what a module's head says: the PTX version and the architecture.
//
// Safe for concurrent use after it is made; its fields must not change.
type Target struct{ Version, Arch string }

// ladder is the targets that are tried, the least demanding first.
var ladder = []Target{
	{"5.0", "sm_50"}, {"6.0", "sm_53"}, {"6.0", "sm_60"}, {"6.3", "sm_70"}, {"6.5", "sm_75"}, {"7.0", "sm_80"}, {"7.8", "sm_80"}, {"7.4", "sm_86"}, {"8.1", "sm_89"},
	{"8.2", "sm_70"}, {"7.8", "sm_90"}, {"8.0", "sm_90"}, {"8.4", "sm_90"},
}

// targets.txt says for each case the first target of the ladder that NVIDIA's assembler takes it for: the test TestTargets writes it.
//
//go:embed targets.txt
var targetsText string

// targets are the cases by name, and what the assembler says of those it refuses.
var targets = sync.OnceValue(func() (x struct {
	of      map[string]Target
	refused map[string]string
}) {
	x.of, x.refused = map[string]Target{}, map[string]string{}
	var t Target
	for line := range strings.Lines(targetsText) {
		line = strings.TrimRight(line, "\n")
		name, isCase := strings.CutPrefix(line, "\t")
		switch {
		case !isCase:
			t.Version, t.Arch, _ = strings.Cut(line, " ")
		case t.Version == "refused":
			name, why, _ := strings.Cut(name, "\t")
			x.refused[name] = why
		default:
			x.of[name] = t
		}
	}
	return x
})

// Target returns what the case's module has to say in its head; false where the assembler takes it for none, or was not asked.
func (c *Case) Target() (Target, bool) {
	t, ok := targets().of[c.Name]
	return t, ok
}

// Refused is what the assembler said of a case that it takes for no target, "" otherwise.
func (c *Case) Refused() string { return targets().refused[c.Name] }
