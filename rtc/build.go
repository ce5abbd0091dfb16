package rtc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/nvrtc"
)

// A build is all that compiling needs, but for the architecture.
type build struct {
	compiler *nvrtc.Compiler
	source   string
	config   ModuleConfig
	options  nvrtc.OptionList // those of config, read
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

// compile compiles for arch.
func (b *build) compile(ctx context.Context, arch nvrtc.Arch) (*artifact, error) {
	p, err := b.compiler.NewProgram(b.source, nvrtc.ProgramConfig{
		Name:    b.config.Name,
		Headers: b.config.Headers,
		Exports: b.config.Exports,
	})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if err := p.Compile(ctx, withDefaults(b.compiler, b.config.Options, arch, b.folders())...); err != nil {
		return nil, err
	}
	a := &artifact{target: arch.String(), arch: arch, log: p.Log(), names: map[string]string{}, relocatable: relocatable(b.options)}
	if a.ptx, err = p.PTX(); err != nil && !errors.Is(err, nvrtc.ErrNoOutput) {
		return nil, err
	}
	if arch.Kind == nvrtc.RealArch {
		if a.cubin, err = p.CUBIN(); err != nil && !errors.Is(err, nvrtc.ErrNoOutput) {
			return nil, err
		}
	}
	if a.ptx == "" && a.cubin == nil {
		return nil, fmt.Errorf("with these options the compiler makes nothing that a device can load; compile by package nvrtc to link it: %w", err)
	}
	for _, e := range b.config.Exports {
		if a.names[e], err = p.LoweredName(e); err != nil {
			return nil, err
		}
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
