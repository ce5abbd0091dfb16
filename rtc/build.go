package rtc

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A build is all that compiling needs, but for the architecture.
type build struct {
	compiler *nvrtc.Compiler
	source   string
	config   ModuleConfig
	options  nvrtc.OptionList // those of config, read
}

// newBuild makes a build, and says for which architecture it is compiled first.
func newBuild(source string, c ModuleConfig) (*build, nvrtc.Arch, error) {
	comp, dev := c.Compiler, c.For
	if dev != nil && dev.dev == nil {
		return nil, nvrtc.Arch{}, fmt.Errorf("the config's For: %w", errNilDevice)
	}
	if dev != nil && dev.closed.Load() {
		return nil, nvrtc.Arch{}, fmt.Errorf("the config's For: %v is %w", dev, ErrClosed)
	}
	if comp == nil {
		var err error
		if comp, err = machineCompiler.get(); err != nil {
			return nil, nvrtc.Arch{}, err
		}
	}
	if dev == nil {
		dev = lastOpened.get()
	}
	if c.Name == "" {
		c.Name = "kernel.cu"
	}
	if err := dangling(c.Options); err != nil {
		return nil, nvrtc.Arch{}, err
	}
	// What the caller has may change before the module is compiled again.
	c.Options, c.Exports, c.Headers = slices.Clone(c.Options), slices.Clone(c.Exports), maps.Clone(c.Headers)
	c.For = nil
	source, c.Headers = resolveIncludes(c.Name, source, c.Headers)
	b := &build{compiler: comp, source: source, config: c, options: nvrtc.ParseOptions(c.Options)}
	arch, err := b.target(dev)
	return b, arch, err
}

// target is the architecture for dev, or for no device if it is nil. The
// user's own wins.
func (b *build) target(dev *Device) (nvrtc.Arch, error) {
	arch, given, err := userTarget(b.compiler, b.options)
	if given || err != nil {
		return arch, err
	}
	return chooseTarget(b.compiler, dev)
}

// folders are those of CUDA's own headers, if the source can include any: a
// small compile is a tenth slower with them, and finding them takes time, too.
func (b *build) folders() []string {
	includes := func(text string) bool {
		// A line that is spliced may hide the word.
		return strings.Contains(text, "include") || strings.Contains(text, "\\\n") || strings.Contains(text, "\\\r\n")
	}
	if !includes(b.source) && !slices.ContainsFunc(b.config.Options, includes) {
		return nil
	}
	folders, _ := b.compiler.IncludeDirs() // none is no reason to fail: the source may do without
	return folders
}

// request is what the service is asked for.
func (b *build) request(arch nvrtc.Arch) compile.Request {
	return compile.Request{
		Compiler: b.compiler,
		Source:   b.source,
		Name:     b.config.Name,
		Headers:  b.config.Headers,
		Exports:  b.config.Exports,
		Options:  withDefaults(b.compiler, b.config.Options, arch, b.folders()),
		Extra:    b.config.CacheExtra,
	}
}

// compile has the service compile for arch, or find what was compiled before.
func (b *build) compile(ctx context.Context, arch nvrtc.Arch) (*artifact, error) {
	job, err := b.config.Service.Submit(ctx, b.request(arch))
	if err != nil {
		return nil, err
	}
	r, err := job.Wait(ctx)
	if err == nil && r.Entry.Kind != cache.PTX && r.Entry.Kind != cache.CUBIN {
		err = nvrtc.ErrNoOutput
	}
	if errors.Is(err, nvrtc.ErrNoOutput) {
		return nil, fmt.Errorf("with these options the compiler makes nothing that a device can load; compile by package nvrtc to link it: %w", nvrtc.ErrNoOutput)
	}
	if err != nil {
		return nil, err
	}
	a := &artifact{
		target: arch.String(), arch: arch, log: r.Entry.Log, names: r.Entry.Lowered, relocatable: relocatable(b.options),
		uncached: r.Uncached, compiled: r.Origin == compile.Compiled,
	}
	if r.Entry.Kind == cache.CUBIN {
		a.cubin, a.ptx = r.Entry.Image, string(r.Entry.PTX)
	} else {
		a.ptx = string(r.Entry.Image)
	}
	return a, nil
}

// relocatable reports whether options ask for code that is to be linked.
func relocatable(options nvrtc.OptionList) bool {
	for _, o := range options {
		switch {
		case o.Name == "--device-c", o.Name == "--relocatable-device-code" && o.Value == "true":
			return true
		}
	}
	return false
}
