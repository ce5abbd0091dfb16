package compile

import (
	"context"
	"fmt"
	"maps"
	"os"

	"github.com/purecuda/purecuda/nvrtc"
)

// mostEnclosed is more than a source includes of all that CUDA has, in bytes. It is
// a variable for a test.
var mostEnclosed = 64 << 20

// Enclose gives a request with the headers on disk that it can include in memory,
// for a compiler that can open no file. Only those in folders come along: all others,
// and those to which a link leads out of them, don't exist for it. The request's own
// Headers stay, and are taken where both have a name.
//
// Which files a source can include is read from its text, with no #if and no macro
// understood: more come along than are used, and one that only a macro names
// doesn't. A header is called as on disk, by its whole name, in messages too. NVRTC
// knows one in memory by the text of the #include alone, whatever file that stands
// in, so that each such text becomes a header which includes the right one; where
// two files mean two by the same text it is written out in one of them. NVRTC 11 answers
// __has_include with no for all headers in memory.
//
// Safe for concurrent use.
func Enclose(ctx context.Context, r *Request, folders ...string) (*Request, error) {
	if r == nil {
		return nil, fmt.Errorf("compile: enclose: %w", errNoRequest)
	}
	enclosed, err := enclose(ctx, r, folders)
	if err != nil {
		return nil, fmt.Errorf("compile: enclose the headers of %s: %w", r.label(), err)
	}
	return enclosed, nil
}

func enclose(ctx context.Context, r *Request, folders []string) (*Request, error) {
	options := nvrtc.ParseOptions(r.Options)
	s := newSearch(ctx, machineFiles, r.Headers, options, newFields())
	fence := &fence{folders: folders}
	s.reach = fence
	found := meanings{files: map[use][]string{}}
	s.found = found.add
	if err := s.whole(r, options); err != nil {
		return nil, err
	}
	folder, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	e := encloser{search: s, fence: fence, folder: folder, request: *r, names: map[string]string{}, means: map[string]string{}}
	if e.request.Headers = maps.Clone(r.Headers); e.request.Headers == nil {
		e.request.Headers = map[string]string{}
	}
	for _, u := range found.order {
		if err := e.enclose(u, found.files[u]); err != nil {
			return nil, err
		}
	}
	for _, u := range e.absent {
		if _, ok := e.request.Headers[u.name]; ok {
			e.apart = append(e.apart, divergence{u, "absent: " + u.name})
		}
	}
	if len(e.request.Headers) == len(r.Headers) {
		return r, nil
	}
	return &e.request, e.spellOut(r)
}
