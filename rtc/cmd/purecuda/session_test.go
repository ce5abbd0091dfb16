package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
)

// TestSessions plays what a user types, one file of testdata after the other, and
// holds what is answered to what stands there. PURECUDA_UPDATE=1 writes the files
// anew. Besides purecuda a session has ls, rm, mkdir, mv, cat and damage, which
// changes a byte of each entry of a cache.
func TestSessions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the sessions have the paths and the words of Unix")
	}
	files, err := filepath.Glob("testdata/*.session")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".session"), func(t *testing.T) {
			d := newDesk(t, dl.Version{Major: 12, Minor: 4})
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			var got strings.Builder
			for line := range strings.Lines(string(want)) {
				switch {
				case strings.HasPrefix(line, "#"):
					got.WriteString(line)
				case strings.HasPrefix(line, "$ "):
					got.WriteString(line)
					got.WriteString(d.neutral(d.play(words(strings.TrimSpace(line[2:])))))
				}
			}
			if os.Getenv("PURECUDA_UPDATE") != "" {
				require.NoError(t, os.WriteFile(file, []byte(got.String()), 0o644))
				return
			}
			assert.Equal(t, string(want), got.String())
		})
	}
}

// words takes a line apart at blanks outside of single quotes.
func words(line string) (all []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}

// play runs a line and returns what is answered, in the order in which it is
// said, whether to standard output or to standard error.
func (d *desk) play(line []string) string {
	d.t.Helper()
	before := map[string]string{}
	for name, value, ok := strings.Cut(line[0], "="); ok; name, value, ok = strings.Cut(line[0], "=") {
		before[name] = d.env[name]
		d.env[name] = strings.ReplaceAll(value, "DIR", d.dir)
		line = line[1:]
	}
	defer func() {
		for name, value := range before {
			d.env[name] = value
		}
	}()
	switch line[0] {
	case "purecuda":
		return d.playCommand(line[1:])
	case "ls":
		found, err := os.ReadDir(d.path(line[1]))
		require.NoError(d.t, err)
		text := ""
		for _, one := range found {
			text += one.Name() + "\n"
		}
		return text
	case "rm":
		require.NoError(d.t, os.RemoveAll(d.path(line[1])))
		return ""
	case "mkdir":
		require.NoError(d.t, os.Mkdir(d.path(line[1]), 0o700))
		return ""
	case "mv":
		require.NoError(d.t, os.Rename(d.path(line[1]), d.path(line[2])))
		return ""
	case "cat":
		return d.read(line[1])
	case "damage":
		return d.damage(line[1])
	}
	d.t.Fatalf("%q is no line of a session", line)
	return ""
}

func (d *desk) playCommand(args []string) string {
	from := slices.Index(args, "<")
	c := d.command(args...)
	if from >= 0 {
		c = d.command(args[:from]...)
		c.Stdin = strings.NewReader(d.read(args[from+1]))
	}
	said, err := c.CombinedOutput()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		require.NoError(d.t, err)
	}
	text := string(said)
	if code := c.ProcessState.ExitCode(); code != 0 {
		text += fmt.Sprintf("[exit status %d]\n", code)
	}
	return text
}

// damage changes the last byte of every entry of a cache.
func (d *desk) damage(cache string) string {
	n := 0
	files, err := filepath.Glob(filepath.Join(d.path(cache), "??", strings.Repeat("?", 62)))
	require.NoError(d.t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(d.t, err)
		text[len(text)-1] ^= 1
		require.NoError(d.t, os.WriteFile(file, text, 0o600))
		n++
	}
	return fmt.Sprintf("%d damaged\n", n)
}

var (
	keys  = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	times = regexp.MustCompile(`\d{4}-\d\d-\d\d[ T][0-9:.]+Z?`)
	sizes = regexp.MustCompile(`("bytes": )\d+|\b[0-9.]+ (bytes|KiB)`)
)

// neutral is a text without what differs from run to run, or with the compiler's
// build.
func (d *desk) neutral(text string) string {
	text = strings.ReplaceAll(text, d.env["PURECUDA_NVRTC"], "LIBNVRTC")
	text = strings.ReplaceAll(text, d.dir, "DIR")
	text = strings.ReplaceAll(text, filepath.Dir(binary), "BIN")
	text = keys.ReplaceAllString(text, "KEY")
	text = times.ReplaceAllString(text, "TIME")
	return sizes.ReplaceAllString(text, "${1}N ${2}")
}
