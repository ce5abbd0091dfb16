package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// A compileJob is what a compile command was asked for.
type compileJob struct {
	files           []string
	archs, exports  list
	options         []string // NVRTC's
	name, extra     string
	out             string
	ptx, cubin      bool
	warm, list      bool
	json, verbose   bool
	store, config   string
	fresh, isolated bool
	threads         int
	timeout         time.Duration
	compiler        *nvrtc.Compiler
	units           []*unit
	service         *compile.Service
	tiers           *cache.Tiered // nil: nothing is kept
}

func compileCommand(ctx context.Context, args []string) error {
	j := &compileJob{}
	if err := j.parse(args); err != nil {
		return err
	}
	if err := j.check(); err != nil {
		return err
	}
	done, err := j.open(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := j.plan(ctx); err != nil {
		return err
	}
	if j.list {
		return j.lookUp(ctx)
	}
	return j.run(ctx)
}

// flags are the command's own, and NVRTC's pass.
func (j *compileJob) flags() *flags {
	f := newFlags("compile")
	f.Var(&j.archs, "arch", "")
	f.Var(&j.exports, "e", "")
	f.StringVar(&j.name, "name", "", "")
	f.StringVar(&j.extra, "extra", "", "")
	f.StringVar(&j.out, "o", "", "")
	f.BoolVar(&j.ptx, "ptx", false, "")
	f.BoolVar(&j.cubin, "cubin", false, "")
	f.BoolVar(&j.warm, "warm", false, "")
	f.BoolVar(&j.list, "list", false, "")
	f.BoolVar(&j.json, "json", false, "")
	f.BoolVar(&j.verbose, "v", false, "")
	f.StringVar(&j.store, "cache", "", "")
	f.StringVar(&j.config, "config", "", "")
	f.BoolVar(&j.fresh, "fresh", false, "")
	f.BoolVar(&j.isolated, "isolated", false, "")
	f.IntVar(&j.threads, "j", 0, "")
	f.DurationVar(&j.timeout, "timeout", 0, "")
	f.hint = func(name string) string {
		if nvrtc.ParseOptions([]string{"--" + name + "=x"})[0].Name != "" || nvrtc.ParseOptions([]string{"-" + name + "=x"})[0].Name != "" {
			return fmt.Sprintf("; NVRTC wants its value in the same word, -%s=VALUE", name)
		}
		return "; an option of NVRTC's that is not known here goes after --"
	}
	f.others = func(args []string) int {
		option := nvrtc.ParseOptions(args)[0]
		if option.Name == "" {
			return 0
		}
		j.take(option)
		return len(option.Args)
	}
	return f
}

func (j *compileJob) parse(args []string) error {
	files, behind, err := j.flags().parse(args)
	if err != nil {
		return err
	}
	j.files = files
	for _, option := range nvrtc.ParseOptions(behind) {
		j.take(option)
	}
	return nil
}

// take takes an option of NVRTC's.
func (j *compileJob) take(o nvrtc.Option) {
	if o.Name == "--gpu-architecture" {
		j.archs = append(j.archs, o.Value)
	} else {
		j.options = append(j.options, o.Args...)
	}
}

// check finds what can't be meant.
func (j *compileJob) check() error {
	bad := func(format string, args ...any) error { return usageError("compile", format, args...) }
	if len(j.files) == 0 {
		return bad("no FILE.cu is given")
	}
	together := func(a, b string) error { return bad("-%s and -%s can't go together", a, b) }
	switch {
	case j.ptx && j.cubin:
		return together("ptx", "cubin")
	case j.warm && j.list:
		return together("warm", "list")
	case j.out != "" && j.warm:
		return together("o", "warm")
	case j.out != "" && j.list:
		return together("o", "list")
	case j.out == "-" && j.json:
		return bad("-o - and -json can't both have standard output")
	case j.fresh && j.list:
		return together("fresh", "list")
	case j.config != "" && j.store != "":
		return bad("-config FILE names the stores: -cache can't go with it")
	case j.threads < 0:
		return bad("-j %d: less than 0", j.threads)
	case j.timeout < 0:
		return bad("-timeout %v: less than 0", j.timeout)
	case j.warm && strings.EqualFold(j.store, "off"):
		return bad("-warm fills the cache: -cache off leaves none")
	}
	for _, e := range j.exports {
		if strings.TrimSpace(e) == "" {
			return bad("-e has nothing behind it")
		}
	}
	stdin := 0
	for _, file := range j.files {
		if file == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return bad("standard input, -, can be given once")
	}
	return nil
}

// open opens what compiling needs. done gives it back.
func (j *compileJob) open(ctx context.Context) (done func(), err error) {
	config, store, err := j.settings(ctx)
	if err != nil {
		return nil, err
	}
	if j.compiler, err = nvrtc.Open(nvrtc.Config{Threads: config.MaxThreads}); err != nil {
		return nil, errors.Join(exit(lacking, err), closeStore(store))
	}
	if j.isolated {
		// The options are the user's own.
		pool, err := worker.NewPool(worker.Config{Workers: config.MaxThreads, Unsafe: true, Read: j.folders()})
		if err != nil {
			return nil, errors.Join(exit(lacking, err), closeStore(store))
		}
		if config.Runner != nil { // the file's
			_ = config.Runner.Close()
		}
		config.Runner = pool
	}
	config.Compiler = j.compiler
	j.tiers, _ = store.(*cache.Tiered)
	j.service = compile.NewService(config)
	return func() {
		// What is wrong with a cache fails no compile.
		_ = j.service.Close()
		_ = closeStore(store)
	}, nil
}

// folders are those whose headers the sources mean: their own and those of -I, if
// they are there.
func (j *compileJob) folders() []string {
	var folders []string
	for _, file := range j.files {
		folders = append(folders, filepath.Dir(file)) // of standard input, the working directory
	}
	for _, o := range nvrtc.ParseOptions(j.options) {
		if o.Name == "--include-path" && o.Has {
			folders = append(folders, o.Value)
		}
	}
	slices.Sort(folders)
	return slices.DeleteFunc(slices.Compact(folders), func(name string) bool {
		_, err := os.Stat(name)
		return err != nil
	})
}
