package settings

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// Settings are what a file says.
//
// Safe for concurrent use after it is made; its fields must not change.
type Settings struct {
	Compiler Compiler `toml:"compiler"`
	Cache    Cache    `toml:"cache"`
}

// Compiler is the table [compiler].
//
// Safe for concurrent use after it is made; its fields must not change.
type Compiler struct {
	MaxThreads int    `toml:"max_threads"`
	QueueSize  int    `toml:"queue_size"`
	TimeoutMS  int    `toml:"timeout_ms"`
	WhenFull   string `toml:"when_full"` // "", "wait" or "refuse"

	// PrecompiledHeaders is the most that files of precompiled headers take up, see
	// compile.Precompiled: bytes, or a number and KiB, MiB or GiB. "": there are none.
	// Not with workers, which write no files.
	PrecompiledHeaders string `toml:"precompiled_headers"`

	// Workers is how many child processes compile, see package worker. 0: none, it
	// is done in this process. What follows is about workers.
	Workers     int      `toml:"workers"`
	Isolation   string   `toml:"isolation"`    // "", "auto", "required" or "off"
	MemoryLimit string   `toml:"memory_limit"` // of a worker: bytes, or a number and KiB, MiB or GiB
	Read        []string `toml:"read"`         // what sources may include, beside CUDA's headers
}

// Cache is the table [cache].
//
// Safe for concurrent use after it is made; its fields must not change.
type Cache struct {
	// Tiers are the stores, by their URLs. Nil: memory and disk. Empty: none. A disk
	// that names no folder is where the variable PURECUDA_CACHE says, and is left out
	// if that is off.
	Tiers []string `toml:"tiers"`
}

// Load reads the file called path.
func Load(path string) (Settings, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Settings{}, fmt.Errorf("settings: load: %w", err)
	}
	s, err := parse(text)
	if err != nil {
		return Settings{}, fmt.Errorf("settings: load %s: %w", path, err)
	}
	return s, nil
}

// Parse reads TOML.
func Parse(text []byte) (Settings, error) {
	s, err := parse(text)
	if err != nil {
		return Settings{}, fmt.Errorf("settings: parse: %w", err)
	}
	return s, nil
}

func parse(text []byte) (Settings, error) {
	var s Settings
	if err := toml.Unmarshal(text, &s); err != nil {
		return Settings{}, told(err)
	}
	at := linesOf(text)
	if err := strangers(text, at); err != nil {
		return Settings{}, err
	}
	if err := s.check(); err != nil {
		var bad *mistake
		if errors.As(err, &bad) {
			err = fmt.Errorf("line %d: %w", at.of("compiler", bad.key), err)
		}
		return Settings{}, err
	}
	return s, nil
}

// told is an error of the decoder in the words of this package.
func told(err error) error {
	var wrong *toml.DecodeError
	if !errors.As(err, &wrong) {
		return err
	}
	line, _ := wrong.Position()
	// What follows are names of this package.
	reason, _, _ := strings.Cut(strings.TrimPrefix(wrong.Error(), "toml: "), " into ")
	if key := strings.Join(wrong.Key(), "."); key != "" {
		reason = key + ": " + reason
	}
	return fmt.Errorf("line %d: %s", line, dl.Shorten(reason))
}

// A mistake is a value of the table compiler that can't be.
type mistake struct{ key, text string }

func (m *mistake) Error() string { return "compiler." + m.text }

// wrong is a mistake; the text goes on behind the key.
func wrong(key, format string, args ...any) error {
	return &mistake{key, dl.Shorten(key + fmt.Sprintf(format, args...))}
}

func (s *Settings) check() error {
	for _, v := range []struct {
		key   string
		value int
	}{{"max_threads", s.Compiler.MaxThreads}, {"queue_size", s.Compiler.QueueSize}, {"timeout_ms", s.Compiler.TimeoutMS}, {"workers", s.Compiler.Workers}} {
		if v.value < 0 {
			return wrong(v.key, " is %d, less than 0", v.value)
		}
	}
	if most := int64(math.MaxInt64 / time.Millisecond); int64(s.Compiler.TimeoutMS) > most {
		return wrong("timeout_ms", " is %d, more than %d", s.Compiler.TimeoutMS, most)
	}
	switch s.Compiler.WhenFull {
	case "", "wait", "refuse":
	default:
		return wrong("when_full", ` is %q, not "wait" or "refuse"`, s.Compiler.WhenFull)
	}
	if _, err := s.Compiler.precompiled(); err != nil {
		return err
	}
	_, err := s.Compiler.workers()
	return err
}

// Config is the compile.Config that the settings describe, with the stores
// opened. Its Store, which is nil if nothing is to be kept, is the caller's to
// close, behind the Service. If workers compile, the program's main must have called
// worker.Main, and its Runner is a *worker.Pool that the Service closes.
func (s Settings) Config(c cache.OpenConfig) (compile.Config, error) {
	if err := s.check(); err != nil {
		return compile.Config{}, fmt.Errorf("settings: config: %w", err)
	}
	tiers := s.Cache.Tiers
	if tiers == nil {
		tiers = []string{"memory:", "disk:"}
	}
	config := compile.Config{
		MaxThreads: s.Compiler.MaxThreads,
		QueueSize:  s.Compiler.QueueSize,
		Timeout:    time.Duration(s.Compiler.TimeoutMS) * time.Millisecond,
		Refuse:     s.Compiler.WhenFull == "refuse",
	}
	workers, err := s.Compiler.workers()
	if err == nil && workers != nil {
		config.Runner, err = worker.NewPool(*workers)
	}
	if bytes, _ := s.Compiler.precompiled(); bytes > 0 {
		config.Runner, err = compile.NewPrecompiled(compile.PrecompiledConfig{Bytes: bytes})
	}
	if err != nil {
		return compile.Config{}, fmt.Errorf("settings: config: %w", err)
	}
	var stores []cache.Store
	for i, url := range tiers {
		store, err := cache.Open(url, c)
		if errors.Is(err, cache.ErrOff) {
			continue
		}
		if err != nil {
			for _, s := range stores {
				_ = s.Close()
			}
			if config.Runner != nil {
				_ = config.Runner.Close()
			}
			return compile.Config{}, fmt.Errorf("settings: config: cache.tiers[%d]: %w", i, err)
		}
		stores = append(stores, store)
	}
	if len(stores) > 0 {
		config.Store = cache.NewTiered(cache.TieredConfig{Logger: c.Logger}, stores...)
	}
	return config, nil
}
