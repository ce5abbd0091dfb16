package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// check returns one line for each import that table does not allow, in the order of the files.
func check(files []file, table []layer) []string {
	var findings []string
	for _, f := range files {
		own := layerOf(table, f.dir())
		if own == nil {
			findings = append(findings, fmt.Sprintf("%s: its folder is in no layer of the table", f.path))
			continue
		}
		for _, imp := range f.imports {
			if rule := refused(f, own, imp.path, table); rule != "" {
				findings = append(findings, fmt.Sprintf("%s:%d: import %q: %s", f.path, imp.line, imp.path, rule))
			}
		}
	}
	return append(findings, reached(files, table)...)
}

// layerOf returns the layer with the longest path that holds dir, or nil.
func layerOf(table []layer, dir string) *layer {
	var found *layer
	for i := range table {
		l := &table[i]
		if within(dir, l.path) && (found == nil || len(l.path) > len(found.path)) {
			found = l
		}
	}
	return found
}

func within(dir, top string) bool { return dir == top || strings.HasPrefix(dir, top+"/") }

// refused returns the rule that forbids f, a file of layer own, to import target, or "".
func refused(f file, own *layer, target string, table []layer) string {
	switch {
	case target == "C":
		return "cgo is used nowhere"
	case target == "unsafe":
		ok := f.test() || f.generated() || slices.ContainsFunc(own.unsafe, func(pattern string) bool {
			matched, _ := path.Match(pattern, path.Base(f.path))
			return matched
		})
		if ok {
			return ""
		}
		return fmt.Sprintf("in %s only %s may use unsafe", own.path, list(append(slices.Clone(own.unsafe), "generated z*.go", "tests")))
	case within(target, f.module):
		if target == f.module {
			return "there is no package at the root"
		}
		below := strings.TrimPrefix(target, f.module+"/")
		other := layerOf(table, below)
		if other == nil {
			return "it is in no layer of the table"
		}
		if f.test() || other == own || slices.Contains(own.uses, "*") || slices.Contains(own.uses, other.path) {
			return ""
		}
		if len(own.uses) == 0 {
			return fmt.Sprintf("%s imports nothing of this module", own.path)
		}
		return fmt.Sprintf("%s may import only %s of this module", own.path, list(own.uses))
	case !strings.Contains(strings.Split(target, "/")[0], "."):
		return "" // the standard library
	}
	allowed := own.modules
	if f.test() {
		allowed = append(slices.Clone(allowed), testModules...)
	}
	if slices.ContainsFunc(allowed, func(module string) bool { return within(target, module) }) {
		return ""
	}
	if len(allowed) == 0 {
		return fmt.Sprintf("%s imports no other module", own.path)
	}
	return fmt.Sprintf("of other modules %s may import only %s here", own.path, list(allowed))
}

// reached returns a finding, with the chain of imports, for each package that reaches a layer its own must never reach.
func reached(files []file, table []layer) []string {
	edges := map[string][]string{}
	var dirs []string
	for _, f := range files {
		if f.test() {
			continue
		}
		if _, seen := edges[f.dir()]; !seen {
			dirs = append(dirs, f.dir())
			edges[f.dir()] = nil
		}
		for _, imp := range f.imports {
			if below, ok := strings.CutPrefix(imp.path, f.module+"/"); ok && !slices.Contains(edges[f.dir()], below) {
				edges[f.dir()] = append(edges[f.dir()], below)
			}
		}
	}

	var findings []string
	for _, start := range dirs {
		own := layerOf(table, start)
		if own == nil || len(own.never) == 0 {
			continue
		}
		from := map[string]string{start: ""}
		for queue := []string{start}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			if l := layerOf(table, at); l != nil && slices.Contains(own.never, l.path) {
				chain := at
				for d := from[at]; d != ""; d = from[d] {
					chain = d + " → " + chain
				}
				findings = append(findings, fmt.Sprintf("%s: %s: %s must never reach %s", start, chain, own.path, l.path))
				break
			}
			for _, next := range edges[at] {
				if _, seen := from[next]; !seen {
					from[next] = at
					queue = append(queue, next)
				}
			}
		}
	}
	return findings
}

func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
