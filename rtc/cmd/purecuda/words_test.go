package main

import (
	"flag"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
)

func TestDidYouMean(t *testing.T) {
	known := []string{"compile", "cache", "doctor", "-o", "-arch", "-json"}
	for given, want := range map[string]string{
		"compil": "compile", "comiple": "compile", "cahce": "cache", "docter": "doctor", "-jsn": "-json", "-ach": "-arch", "-arhc": "-arch",
		"x": "", "": "", "frobnicate": "", "-xyzzy": "",
	} {
		got := didYouMean(given, known)
		if want == "" {
			assert.Empty(t, got, given)
		} else {
			assert.Equal(t, " (did you mean "+want+"?)", got, given)
		}
	}
}

func TestFlagsInAnyOrder(t *testing.T) {
	for _, row := range []struct {
		args         string
		rest, behind string
		err          string
	}{
		{"a -n 3 b", "a b", "", ""},
		{"-n=3 a -v b", "a b", "", ""},
		{"--n 3 --v=true - a", "- a", "", ""},
		{"a -- -n 3", "a", "-n 3", ""},
		{"-n", "", "", "-n has no value"},
		{"-n x", "", "", "-n x: "},
		{"-v=maybe", "", "", "-v maybe: "},
		{"-m", "", "", "unknown flag -m"},
		{"-h", "", "", "help"},
	} {
		f := newFlags("test")
		n, v := f.Int("n", 3, ""), f.Bool("v", true, "")
		rest, behind, err := f.parse(strings.Fields(row.args))
		if row.err != "" {
			assert.ErrorContains(t, err, row.err, row.args)
			continue
		}
		require.NoError(t, err, row.args)
		assert.Equal(t, strings.Fields(row.rest), append([]string{}, rest...), row.args)
		assert.Equal(t, strings.Fields(row.behind), append([]string{}, behind...), row.args)
		assert.Equal(t, 3, *n)
		assert.True(t, *v)
	}
}

// Each help has all the flags, and no line that a terminal breaks.
func TestHelp(t *testing.T) {
	d := bareDesk(t)
	flagsOf := map[string][]string{"cache": {"-json", "-fix", "-y"}, "doctor": {"-json"}}
	f := (&compileJob{}).flags()
	f.VisitAll(func(one *flag.Flag) { flagsOf["compile"] = append(flagsOf["compile"], "-"+one.Name) })
	require.Greater(t, len(flagsOf["compile"]), 10)
	for _, c := range commands() {
		text := d.good("help", c.name).out
		assert.Equal(t, text, d.good(c.name, "-h").out)
		assert.Equal(t, text, d.good(c.name, "--help").out)
		assert.Contains(t, text, "Usage: purecuda "+c.name)
		assert.Contains(t, text, "Exit status: 0 ")
		for _, name := range flagsOf[c.name] {
			assert.Regexp(t, `(?m)(^  |\[)`+name+`\b`, text)
		}
		for line := range strings.Lines(text) {
			assert.LessOrEqual(t, len([]rune(line)), 112, line)
		}
	}
	assert.Contains(t, d.good("help").out, "doctor")
	assert.Equal(t, d.good("help").out, d.good("--help").out)
}

func TestProgress(t *testing.T) {
	var out strings.Builder
	bar := &progress{w: &out}
	bar.show(1, 4, "a.cu sm_80")
	bar.show(4, 4, strings.Repeat("long/", 40))
	bar.clear()
	bar.clear()
	lines := strings.Split(out.String(), "\r")
	assert.Equal(t, "[######..................] 1/4 a.cu sm_80", lines[0])
	for _, line := range lines {
		assert.LessOrEqual(t, len([]rune(line)), 78)
	}
	assert.Empty(t, lines[len(lines)-1], "the line is empty at the end")
	var none *progress
	none.show(1, 2, "x")
	none.clear()
}

func TestRedact(t *testing.T) {
	for text, want := range map[string]string{
		"redis://user:secret@host:1/0?ttl=1h":                            "redis://***@host:1/0?ttl=1h",
		"rediss://:s3cret@h":                                             "rediss://***@h",
		"a redis-sentinel://h/0?master=m&sentinel-password=secret&x=y b": "a redis-sentinel://h/0?master=m&sentinel-password=***&x=y b",
		"/usr/lib:/opt/x@y":                                              "/usr/lib:/opt/x@y",
	} {
		assert.Equal(t, want, redact(text))
	}
}

func TestSizes(t *testing.T) {
	assert.Equal(t, []string{"0 bytes", "1023 bytes", "1.0 KiB", "1.5 MiB", "2.0 GiB"}, []string{size(0), size(1023), size(1024), size(3 << 19), size(2 << 30)})
	assert.Equal(t, "1 entry", count(1))
	assert.Equal(t, "0 entries", count(0))
}

// What a terminal obeys is written as Go writes it; text in any language stays.
func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\nc\u00e9\u4e16":  "a\tb\nc\u00e9\u4e16",
		"\x1b[31mred\x1b[0m":   `\x1b[31mred\x1b[0m`,
		"over\rwritten\b":      `over\rwritten\b`,
		"\u009b2J \x9b2J \x7f": `\u009b2J \x9b2J \x7f`,
		"\u202egnp.cu":         `\u202egnp.cu`,
	} {
		assert.Equal(t, want, printable(text))
	}
}

// Neither a source nor a file's name says anything to the terminal.
func TestSaysNothingToTheTerminal(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	d.write("raw.cu", "#error \"\x1b[31m\"\n")
	r := d.run("compile", "raw.cu")
	assert.Equal(t, 1, r.code)
	assert.Contains(t, r.err, `\x1b[31m`)
	assert.NotContains(t, r.err, "\x1b")
	r = d.run("compile", "\x1b[31m.cu")
	assert.Equal(t, 2, r.code)
	assert.NotContains(t, r.err, "\x1b")
}
