package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A list is a parsed api.txt.
type list struct {
	pkg, prefix, result, manual string
	types                       map[string]string // C type, normalised → Go type
	funcs                       []function
}

// A function is one line of the list.
type function struct {
	since   [2]int
	ret     string // C
	name    string // C
	goName  string
	params  []param
	proto   string // as it stands in the list
	raw     bool   // in the table, but without a method
	section string
}

type param struct{ name, c, go_ string }

var (
	protoLine = regexp.MustCompile(`^(raw\s+)?(\d+)\.(\d+)\s+(.+?)\s*(\w+)\((.*)\)(?:\s+as\s+(\w+))?$`)
	suffix    = regexp.MustCompile(`_v\d+$`)
)

// parse reads the language of api.txt, a line at a time. A # begins a comment.
//
//	package nvrtc                   the Go package
//	prefix nvrtc                    what C names lose in Go
//	result nvrtcResult              the C return type that becomes an error
//	manual https://…                the page that documents the functions
//	type nvrtcProgram handle        a C type and the Go type that stands for it
//	section Compilation             begins a group in the page
//	8.0 nvrtcResult nvrtcF(int n, const char *s)          since, prototype
//	3.2 CUresult cuF_v2(size_t n) as g                    with a Go name of its own
//	raw 4.1 CUresult cuG(BIG by_value)                    no method: called by hand
func parse(file, text string) (*list, error) {
	l := &list{types: map[string]string{}}
	section := ""
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		var err error
		switch word {
		case "package":
			l.pkg = rest
		case "prefix":
			l.prefix = rest
		case "result":
			l.result = rest
		case "manual":
			l.manual = rest
		case "section":
			section = rest
		case "type":
			cut := strings.LastIndex(rest, " ")
			if cut < 0 {
				err = fmt.Errorf("type wants a C type and a Go type")
				break
			}
			l.types[normal(rest[:cut])] = rest[cut+1:]
		default:
			err = l.addFunction(line, section)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	return l, nil
}

func (l *list) addFunction(line, section string) error {
	m := protoLine.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("not a prototype: %s", line)
	}
	f := function{ret: normal(m[4]), name: m[5], goName: m[7], raw: m[1] != "", section: section,
		proto: spaces.ReplaceAllString(m[4]+" "+m[5]+"("+strings.TrimSpace(m[6])+")", " ")}
	fmt.Sscan(m[2], &f.since[0])
	fmt.Sscan(m[3], &f.since[1])
	if f.goName == "" {
		s := suffix.ReplaceAllString(strings.TrimPrefix(f.name, l.prefix), "")
		f.goName = strings.ToLower(s[:1]) + s[1:]
	}
	for _, other := range l.funcs {
		if other.goName == f.goName {
			return fmt.Errorf("%s and %s are both %s in Go: give one another name with «as»", other.name, f.name, f.goName)
		}
	}
	if args := strings.TrimSpace(m[6]); args != "" && args != "void" {
		for _, arg := range strings.Split(args, ",") {
			p, err := l.param(arg, f.raw)
			if err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			f.params = append(f.params, p)
		}
	}
	l.funcs = append(l.funcs, f)
	return nil
}

var (
	paramName = regexp.MustCompile(`(\w+)\s*(\[\w*\])?$`)
	spaces    = regexp.MustCompile(`\s+`)
)

func (l *list) param(text string, raw bool) (param, error) {
	text = strings.TrimSpace(text)
	m := paramName.FindStringSubmatchIndex(text)
	if m == nil || strings.TrimSpace(text[:m[2]]) == "" {
		return param{}, fmt.Errorf("parameter %q wants a type and a name", text)
	}
	name, c := text[m[2]:m[3]], text[:m[2]]
	if m[4] >= 0 {
		c += "*"
	}
	p := param{name: goParam(name), c: normal(c)}
	var err error
	if p.go_, err = l.goType(p.c); err != nil && !raw {
		return param{}, err
	}
	return p, nil
}

var constArray = regexp.MustCompile(`\*\s*const\s*\*`)

// normal spells a C type one way: no const, stars close up, single blanks.
// Only the const between two stars stays, since it tells an array of strings
// that goes in (char *const *) from a string that comes out (char **).
func normal(c string) string {
	c = constArray.ReplaceAllString(c, "*inner*")
	c = strings.ReplaceAll(c, "*", " * ")
	var words []string
	for _, w := range strings.Fields(c) {
		if w != "const" {
			words = append(words, w)
		}
	}
	c = strings.Join(words, " ")
	c = strings.ReplaceAll(strings.ReplaceAll(c, " *", "*"), "* inner", "*const")
	return spaces.ReplaceAllString(c, " ")
}

var builtin = map[string]string{
	"int": "int32", "unsigned int": "uint32", "long long": "int64",
	"unsigned long long": "uint64", "size_t": "uint64", "char*": "*byte",
	"unsigned short": "uint16", "unsigned char": "uint8", "void*": "unsafe.Pointer",
	"void**": "*uintptr", "char**": "*uintptr", "char*const*": "**byte", "char": "byte",
	"cuuint32_t": "uint32", "cuuint64_t": "uint64", "float": "",
}

func (l *list) goType(c string) (string, error) {
	if g, ok := l.types[c]; ok {
		return g, nil
	}
	if g, ok := builtin[c]; ok && g != "" {
		return g, nil
	}
	if base, ok := strings.CutSuffix(c, "*"); ok {
		g, err := l.goType(base)
		if base == "float" {
			g, err = "float32", nil
		}
		return "*" + g, err
	}
	return "", fmt.Errorf("no Go type is known for %q: add a type line", c)
}

func goParam(name string) string {
	switch name {
	case "type", "func", "range", "map", "chan", "var", "go", "select", "a", "f", "err":
		return name + "_"
	}
	return name
}
