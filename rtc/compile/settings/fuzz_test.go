package settings_test

import (
	"strings"
	"testing"

	"github.com/purecuda/purecuda/rtc/compile/settings"
)

// FuzzParse holds that what is wrong has a line.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"[compiler]\nmax_threads = 4\nMAX = 3\n", "compiler = { workers = 1, Read = [\"\"] }\n", "compiler.a.b = 1\n[cache.c]\n", "[[cache]]\ntiers = 1\n",
		"[compiler]\n[compiler.'d e']\nf = { g = 1 }\n", "cache = [ { tiers = [] } ]\n", "\"\" = 1\n", "[compiler]\nworkers = 1\nread = [\n\"a\"]\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := settings.Parse([]byte(text))
		if err != nil && (!strings.HasPrefix(err.Error(), "settings: parse: line ") || strings.Contains(err.Error(), "line 0:")) {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
