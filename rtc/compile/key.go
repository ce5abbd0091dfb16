package compile

import (
	"context"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
)

// keyFormat changes whenever the meaning of keys or of what is stored under
// them does.
const keyFormat = "purecuda compile 2"

// appendFlags is the variable that has NVRTC append options.
const appendFlags = "NVRTC_APPEND_FLAGS"

// keyOf makes the key of a request: everything that decides what the compiler
// makes. unseen says why there is none, "" if there is one. err is ctx's.
//
// PTX is never part of it, since NVRTC does not write the same text twice.
//
// away is where the compile runs; nil is here.
func keyOf(ctx context.Context, disk *files, r *Request, away OutOfProcess) (key cache.Key, unseen string, err error) {
	return keyOfText(ctx, disk, r, r.Source, away)
}

// keyOfText is keyOf for a compile of which text alone matters of the source; what
// the whole source includes is part of the key.
func keyOfText(ctx context.Context, disk *files, r *Request, text string, away OutOfProcess) (key cache.Key, unseen string, err error) {
	build := r.Compiler.Build()
	if build == "" {
		return cache.Key{}, "the NVRTC is no file that could be told from another", nil
	}
	given := nvrtc.ParseOptions(r.Options)
	appended := ""
	if away == nil {
		appended = os.Getenv(appendFlags)
	}
	all := append(slices.Clip(given), nvrtc.ParseOptions(strings.Fields(appended))...)

	f := newFields()
	f.add("format", keyFormat)
	f.add("compiler", r.Compiler.Version().String(), build, runtime.GOOS, runtime.GOARCH)
	f.add("source", text)
	f.add("name", r.Name)
	// The architecture and what is made are among them.
	f.add("options", given.Canonical()...)
	f.add(appendFlags, appended)
	f.add("exports", r.Exports...)
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		f.add("header", name, r.Headers[name])
	}
	if tellsFolder(all) {
		folder, err := os.Getwd()
		if err != nil {
			return cache.Key{}, "the working directory is not known: " + err.Error(), nil
		}
		f.add("folder", folder)
	}
	f.add("extra", r.Extra)
	s := newSearch(ctx, disk, r.Headers, all, f)
	if away != nil {
		folders, how := away.Reach(r.Compiler)
		if folders != nil {
			s.reach = &fence{folders: folders}
		}
		if how != "" {
			f.add("how headers are read", how)
		}
	}
	if what := unseenOption(all); what != "" {
		s.cannotSee(what)
	}
	err = s.source(r, all)
	if err == nil {
		err = s.compute(r, all)
	}
	if err != nil {
		return cache.Key{}, "", err
	}
	if r.Extra == "" && s.unseen != "" {
		return cache.Key{}, s.unseen, nil
	}
	return f.key(), "", nil
}

// tellsFolder reports whether the working directory is written into the output:
// debug information has the path of the source.
func tellsFolder(options nvrtc.OptionList) bool {
	return slices.ContainsFunc(options, func(o nvrtc.Option) bool {
		return o.Name == "--generate-line-info" || o.Name == "--device-debug"
	})
}

// unseenOption finds an option whose effect no key can have: one that reads or
// writes files, or that is not known.
func unseenOption(options nvrtc.OptionList) string {
	for _, o := range options {
		switch o.Name {
		case "":
			if strings.Trim(o.Args[0], " \t\n\v\f\r") != "" {
				return "the option " + o.Args[0] + ", which is not known here"
			}
		case "--time", "--fdevice-time-trace", "--pch", "--create-pch", "--use-pch", "--pch-dir":
			return "the option " + o.Name + ", which is for files"
		case "--ptxas-options":
			// --options-file, -optf and others.
			if strings.Contains(o.Value, "file") || strings.Contains(o.Value, "optf") {
				return "the option " + o.Name + "=" + o.Value + ", which is for files"
			}
		}
	}
	return ""
}
