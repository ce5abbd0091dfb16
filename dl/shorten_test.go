package dl_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/purecuda/purecuda/dl"
)

func TestShorten(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for name, c := range map[string]struct{ text, want string }{
		"nothing":      {"", ""},
		"short":        {"kernel axpy: no", "kernel axpy: no"},
		"just short":   {x(512), x(512)},
		"many words":   {strings.Repeat("word ", 1000), strings.Repeat("word ", 1000)},
		"a long word":  {"kernel a" + x(100_000) + "b: no", "kernel a" + x(255) + "…(100003 bytes in all)…" + x(126) + "b: no"},
		"two":          {x(600) + "\n" + x(600), x(256) + "…(600 bytes in all)…" + x(128) + "\n" + x(256) + "…(600 bytes in all)…" + x(128)},
		"a long text":  {strings.Repeat("12 4567\n", 2000), strings.Repeat("12 4567\n", 512) + "…(16000 bytes in all)…" + strings.Repeat("12 4567\n", 256)},
		"of two bytes": {"x" + strings.Repeat("é", 400), "x" + strings.Repeat("é", 127) + "…(801 bytes in all)…" + strings.Repeat("é", 64)},
		"no UTF-8":     {strings.Repeat("\xa9", 600), "…(600 bytes in all)…"},
	} {
		got := dl.Shorten(c.text)
		assert.Equal(t, c.want, got, name)
		assert.Equal(t, utf8.ValidString(c.text), utf8.ValidString(got) && name != "no UTF-8", name)
		assert.Equal(t, got, dl.Shorten(got), "%s, again", name)
	}
}
