package main

import (
	"context"
	"errors"
	"strings"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A unit is one source for one architecture.
type unit struct {
	file    string
	arch    nvrtc.Arch
	kind    cache.Kind // of what is written
	out     string     // where; "" for nowhere
	request compile.Request

	done   bool
	result *compile.Result
	err    error
}

// plan makes the units. What is wrong with any stops all.
func (j *compileJob) plan(ctx context.Context) error {
	archs, err := j.targets()
	if err != nil {
		return err
	}
	for _, file := range j.files {
		text, err := awaited(ctx, "compile", func() (string, error) { return source(file) })
		if err != nil {
			return exit(usage, err)
		}
		name := j.name
		if name == "" {
			if name = file; file == "-" {
				name = "stdin.cu"
			}
		}
		if text == "" {
			return exit(usage, errors.New(name+" is empty"))
		}
		config := rtc.ModuleConfig{Name: name, Options: j.options, Exports: j.exports, Compiler: j.compiler, CacheExtra: j.extra}
		for _, arch := range archs {
			u := &unit{file: file, arch: arch}
			if u.request, err = config.Request(text, arch); errors.Is(err, errors.ErrUnsupported) {
				return exit(lacking, err)
			} else if err != nil {
				return usageError("compile", "%s", strings.TrimPrefix(err.Error(), "rtc: request: "))
			}
			u.request.Fresh = j.fresh
			u.arch, _ = nvrtc.ParseOptions(u.request.Options).Arch()
			if u.kind, err = j.kindOf(u); err != nil {
				return err
			}
			j.units = append(j.units, u)
		}
	}
	return j.place(len(archs) > 1)
}

// kindOf is what is written of a unit.
func (j *compileJob) kindOf(u *unit) (cache.Kind, error) {
	options := nvrtc.ParseOptions(u.request.Options)
	_, lto := options.Find("--dlink-time-opt")
	_, optix := options.Find("--optix-ir")
	kind := cache.PTX
	switch {
	case lto:
		kind = cache.LTOIR
	case optix:
		kind = cache.OptiXIR
	case u.arch.Kind == nvrtc.RealArch:
		kind = cache.CUBIN
	}
	switch {
	case j.cubin && kind != cache.CUBIN:
		return 0, usageError("compile", "-cubin: with these options NVRTC makes %v for %v: machine code is for sm_XY", kind, u.arch)
	case j.ptx && kind != cache.PTX && kind != cache.CUBIN:
		return 0, usageError("compile", "-ptx: with these options NVRTC makes %v alone", kind)
	case j.ptx:
		return cache.PTX, nil
	}
	return kind, nil
}
