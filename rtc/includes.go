package rtc

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// NVRTC finds a header in memory by the text of the #include alone: "b.h" in
// "lib/a.h" is never "lib/b.h". So what C++ would find beside the including
// file is written out before NVRTC sees it: each #include "…", in the source
// and in the headers, that means a header in memory by a path gets that
// header's name. Lines and all other text stay.

// An includer knows the headers in memory.
type includer struct {
	headers map[string]string
	names   map[string]string // clean path → name in headers
}

// resolveIncludes is the source called name, and its headers, with the names
// of headers in memory written out.
func resolveIncludes(name, source string, headers map[string]string) (string, map[string]string) {
	if len(headers) == 0 {
		return source, headers
	}
	r := includer{headers, map[string]string{}}
	for _, h := range slices.Sorted(maps.Keys(headers)) {
		clean := path.Clean(h)
		if _, taken := r.names[clean]; (!taken || h == clean) && !strings.ContainsAny(h, "\"\n\r") {
			r.names[clean] = h
		}
	}
	resolved := make(map[string]string, len(headers))
	for h, text := range headers {
		resolved[h] = r.rewrite(h, text)
	}
	return r.rewrite(name, source), resolved
}

// rewrite writes out the names in the text of the file called from.
func (r *includer) rewrite(from, text string) string {
	if !mayInclude(text) {
		return text
	}
	var b strings.Builder
	done := 0
	for _, q := range quotedIncludes(text) {
		name := text[q.start:q.end]
		if full := r.find(path.Dir(from), name); full != name {
			b.WriteString(text[done:q.start])
			b.WriteString(full)
			done = q.end
		}
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// find is the header that name means in a file of folder: the one beside that
// file, as in C++, else one of the very name, else one of the same path. It is
// name itself where there is none, since such a file may lie on disk.
func (r *includer) find(folder, name string) string {
	if name == "" || path.IsAbs(name) {
		return name
	}
	_, exact := r.headers[name]
	beside := path.Join(folder, name)
	if full, ok := r.names[beside]; ok && !(exact && path.Clean(name) == beside) {
		return full
	}
	if full, ok := r.names[path.Clean(name)]; ok && !exact {
		return full
	}
	return name
}

// mayInclude is false for most texts that include nothing by quotes, and tells
// so quickly.
func mayInclude(text string) bool {
	for {
		_, rest, found := strings.Cut(text, "include")
		if !found {
			return false
		}
		if rest = strings.TrimLeft(rest, " \t"); rest != "" && strings.ContainsRune("\"(/\\", rune(rest[0])) {
			return true
		}
		text = rest
	}
}
