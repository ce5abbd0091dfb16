package settings_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/settings"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

func TestSettings(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "purecuda.toml")
	require.NoError(t, os.WriteFile(file, []byte(`
[compiler]
max_threads = 4
queue_size = 100
timeout_ms = 5000
when_full = "refuse"

[cache]
tiers = ["memory:?size=1MiB", "disk://`+filepath.ToSlash(folder)+`/cache"]
`), 0o600))
	s, err := settings.Load(file)
	require.NoError(t, err)
	c, err := s.Config(cache.OpenConfig{})
	require.NoError(t, err)
	tiers := c.Store.(*cache.Tiered).Tiers()
	require.Len(t, tiers, 2)
	assert.Equal(t, filepath.Join(folder, "cache"), tiers[1].Store.(*cache.Disk).Dir())
	require.NoError(t, c.Store.Close())
	c.Store = nil
	assert.Equal(t, compile.Config{MaxThreads: 4, QueueSize: 100, Timeout: 5 * time.Second, Refuse: true}, c)
}

func TestNothingSaid(t *testing.T) {
	t.Setenv("PURECUDA_CACHE", "")
	s, err := settings.Parse(nil)
	require.NoError(t, err)
	c, err := s.Config(cache.OpenConfig{})
	require.NoError(t, err)
	assert.Len(t, c.Store.(*cache.Tiered).Tiers(), 2)
	require.NoError(t, c.Store.Close())
	c.Store = nil
	assert.Equal(t, compile.Config{}, c)

	s, err = settings.Parse([]byte("[cache]\ntiers = []\n"))
	require.NoError(t, err)
	c, err = s.Config(cache.OpenConfig{})
	require.NoError(t, err)
	assert.Nil(t, c.Store)
}

// TestVariable: PURECUDA_CACHE is where a disk is that names no folder.
func TestVariable(t *testing.T) {
	folder, named := t.TempDir(), t.TempDir()
	for _, row := range []struct {
		variable, text string
		want           []string
	}{
		{folder, "", []string{"memory", "disk " + folder}},
		{folder, `tiers = ["disk:"]`, []string{"disk " + folder}},
		{folder, `tiers = ["disk:` + filepath.ToSlash(named) + `"]`, []string{"disk " + named}},
		{"off", "", []string{"memory"}},
		{"off", `tiers = ["disk:?size=1GiB"]`, nil},
		{"off", `tiers = ["disk:", "disk:` + filepath.ToSlash(named) + `"]`, []string{"disk " + named}},
	} {
		t.Setenv("PURECUDA_CACHE", row.variable)
		s, err := settings.Parse([]byte("[cache]\n" + row.text))
		require.NoError(t, err)
		c, err := s.Config(cache.OpenConfig{})
		require.NoError(t, err)
		var got []string
		if c.Store != nil {
			for _, tier := range c.Store.(*cache.Tiered).Tiers() {
				got = append(got, tier.Name)
			}
			require.NoError(t, c.Store.Close())
		}
		assert.Equal(t, row.want, got, row)
	}
}

var long = strings.Repeat("x", 1e6)

const known = "compiler.max_threads, queue_size, timeout_ms, when_full, precompiled_headers, workers, isolation, memory_limit and read, and cache.tiers"

func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"[compiler]\nmax_threads = 4\nqueue = 3\n":                     "line 3: compiler.queue is not known; there are " + known,
		"max_threads = 4\n":                                            "line 1: max_threads is not known; there are " + known,
		"\n\n[compile]\n":                                              "line 3: compile is not known; there are " + known,
		"[compiler]\nmax_threads = \"4\"\n":                            "line 2: compiler.max_threads: cannot decode TOML string",
		"[compiler]\nmax_threads = 4.5\n":                              "line 2: compiler.max_threads: cannot decode TOML float",
		"[compiler\n":                                                  "line 1: expected ']' to close table name",
		"[compiler]\nqueue_size = 1\nqueue_size = 2\n":                 "line 3: queue_size: key queue_size is already defined",
		"[compiler]\ntimeout_ms = -1\n":                                "line 2: compiler.timeout_ms is -1, less than 0",
		"[compiler]\ntimeout_ms = 9223372036855\n":                     "line 2: compiler.timeout_ms is 9223372036855, more than 9223372036854",
		"[compiler]\nworkers = -1\n":                                   "line 2: compiler.workers is -1, less than 0",
		"[compiler]\nisolation = \"required\"\n":                       "line 2: compiler.isolation is of workers, and compiler.workers is 0",
		"[compiler]\nmemory_limit = \"1GiB\"\n":                        "line 2: compiler.memory_limit is of workers, and compiler.workers is 0",
		"[compiler]\nworkers = 1\nisolation = \"on\"\n":                `line 3: compiler.isolation is "on", not "auto", "required" or "off"`,
		"[compiler]\nworkers = 1\nmemory_limit = \"1G\"\n":             "line 3: compiler.memory_limit=1G is no size: bytes, or a number and KiB, MiB, GiB or TiB",
		"[compiler]\nprecompiled_headers = \"much\"\n":                 "line 2: compiler.precompiled_headers=much is no size: bytes, or a number and KiB, MiB, GiB or TiB",
		"[compiler]\nprecompiled_headers = \"0\"\n":                    "line 2: compiler.precompiled_headers=0 is no size: bytes, or a number and KiB, MiB, GiB or TiB",
		"[compiler]\nworkers = 2\nprecompiled_headers = \"1GiB\"\n":    "line 3: compiler.precompiled_headers is of compiles in this process, and compiler.workers is 2",
		"[compiler]\nwhen_full = \"block\"\n":                          `line 2: compiler.when_full is "block", not "wait" or "refuse"`,
		"[compiler]\nMAX_THREADS = 4\n":                                "line 2: compiler.MAX_THREADS is not known; there are " + known,
		"[Compiler]\nmax_threads = 4\n":                                "line 1: Compiler is not known; there are " + known,
		"[compiler]\n[CACHE]\n":                                        "line 2: CACHE is not known; there are " + known,
		"compiler = { workers = 1, Read = [] }\n":                      "line 1: compiler.Read is not known; there are " + known,
		"compiler = { workers = 1,\n read = [\"\"] }\n":                "line 2: compiler.read[0] is empty",
		"compiler.workers = -1\n":                                      "line 1: compiler.workers is -1, less than 0",
		"a = 1\n[compiler.b.c]\n\"d e\" = 2\n[\"f\\n\"]\n":             `line 1: a, line 2: compiler.b, line 4: "f\n" are not known; there are ` + known,
		"a=1\nb=1\nc=1\nd=1\ne=1\nf=1\ng=1\nh=1\ni=1\nj=1\nk=1\nl=1\n": "line 1: a, line 2: b, line 3: c, line 4: d, line 5: e, line 6: f, line 7: g, line 8: h, line 9: i, line 10: j, 2 more are not known; there are " + known,
		"[compiler]\nworkers = 1\nread = [\"/usr/include\", \"\"]\n":   "line 3: compiler.read[1] is empty",
		"[compiler]\nworkers = 1\nread = [\"include\"]\n":              `line 3: compiler.read[0] is "include": it must begin at the root, since a relative folder is another for each working directory`,
		"[compiler]\n" + long + " = 1\n":                               "line 2: compiler." + long[:256-9] + "…(1000009 bytes in all)…" + long[:128] + " is not known; there are " + known,
		"[compiler]\nwhen_full = \"" + long + "\"\n":                   `line 2: compiler.when_full is "` + long[:255] + "…(1000003 bytes in all)…" + long[:126] + `", not "wait" or "refuse"`,
		"[compiler]\nmax_threads = 99999999999999999999999":            "line 2: compiler.max_threads: decimal number is too large to fit in a 64-bit signed integer",
	} {
		_, err := settings.Parse([]byte(text))
		require.Error(t, err, text)
		assert.Equal(t, "settings: parse: "+want, err.Error())
	}
	_, err := settings.Load(filepath.Join(t.TempDir(), "none.toml"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	s, err := settings.Parse([]byte("[cache]\ntiers = [\"memory:\", \"disc:\"]\n"))
	require.NoError(t, err)
	_, err = s.Config(cache.OpenConfig{})
	assert.ErrorContains(t, err, `settings: config: cache.tiers[1]: cache: open disc:`)
}

// TestWorkers has the settings of workers arrive, and the errors that are NewPool's.
func TestWorkers(t *testing.T) {
	s, err := settings.Parse([]byte("[compiler]\nworkers = 2\nisolation = \"off\"\nmemory_limit = \"256MiB\"\n[cache]\ntiers = []\n"))
	require.NoError(t, err)
	t.Setenv("PATH", "")
	c, err := s.Config(cache.OpenConfig{})
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err) // no workers on this system
	}
	require.ErrorIs(t, err, worker.ErrNoMain, "this test's main calls nothing")
	worker.Main()
	c, err = s.Config(cache.OpenConfig{})
	require.NoError(t, err)
	p := c.Runner.(*worker.Pool)
	assert.Zero(t, p.Walls())
	require.NoError(t, p.Close())
	s.Compiler.Isolation, s.Compiler.Read = "auto", []string{filepath.Join(t.TempDir(), "none")}
	_, err = s.Config(cache.OpenConfig{})
	assert.ErrorContains(t, err, "settings: config: worker: new pool: Config.Read[0]: ")
}

func TestPrecompiled(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, err := settings.Parse([]byte("[compiler]\nprecompiled_headers = \"300MiB\"\n[cache]\ntiers = []\n"))
	require.NoError(t, err)
	c, err := s.Config(cache.OpenConfig{})
	require.NoError(t, err)
	assert.IsType(t, &compile.Precompiled{}, c.Runner)
	require.NoError(t, compile.NewService(c).Close(), "which closes it")
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	assert.Empty(t, left)
	s.Cache.Tiers = []string{"disc:"}
	_, err = s.Config(cache.OpenConfig{})
	require.ErrorContains(t, err, "cache.tiers[0]")
	left, err = os.ReadDir(os.TempDir())
	require.NoError(t, err)
	assert.Empty(t, left)
}
