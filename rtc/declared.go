package rtc

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// declaredAs is what a source declares a name as, as far as its text tells
// that does not know macros.
type declaredAs string

const (
	globalKernel   declaredAs = "a kernel"
	templateKernel declaredAs = "a template"
	deviceFunction declaredAs = "a __device__ function"
	plainFunction  declaredAs = "a function without __global__"
	deviceVariable declaredAs = "a variable"
)

var (
	comments = sync.OnceValue(func() *regexp.Regexp { // and literals
		return regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`)
	})
	directives = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t]*#.*`) })
	// The beginning of a declaration that has a type in it.
	typed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?:[A-Za-z_][\w:<>, ]*[\s*&]+)+$`)
	})
	defined      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`#[ \t]*define[ \t]+([A-Za-z_]\w*)`) })
	identifierIn = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z_]\w*`) })
)

// codeOf is a text without comments, literals and directives.
func codeOf(text string) string {
	return directives().ReplaceAllString(comments().ReplaceAllString(text, " "), "")
}

// texts are the source and the headers in memory.
func (b *build) texts() []string {
	all := []string{b.source}
	for _, h := range b.config.Headers {
		all = append(all, h)
	}
	return all
}

// mentions reports whether a word stands in the source, the headers in memory
// or the options, or may stand in a header that is somewhere else.
func (b *build) mentions(word string) bool {
	if word == "" {
		return true
	}
	for _, text := range append(b.texts(), b.config.Options...) {
		if text = comments().ReplaceAllString(text, " "); strings.Contains(text, word) || strings.Contains(text, "##") {
			return true
		}
	}
	return mayInclude(b.source) || slices.ContainsFunc(b.config.Options, mayInclude)
}

// describe is what the source is called where it has nothing.
func (b *build) describe() string {
	if strings.TrimSpace(codeOf(b.source)) == "" {
		return "the source is empty, and"
	}
	return "the source"
}

// declared looks for the declaration of a function or variable.
func (b *build) declared(name string) declaredAs {
	name = lastWord(name)
	if name == "" {
		return ""
	}
	found := declaredAs("")
	for _, text := range b.texts() {
		if !strings.Contains(text, name) {
			continue
		}
		code := codeOf(text)
		for _, at := range identifierIn().FindAllStringIndex(code, -1) {
			if code[at[0]:at[1]] != name {
				continue
			}
			head := code[strings.LastIndexAny(code[:at[0]], ";{}")+1 : at[0]]
			switch what := declaration(head, strings.TrimSpace(code[at[1]:])); {
			case what == globalKernel || what == templateKernel:
				return what
			case found == "" && !(what == plainFunction && hasMacro(text, head)):
				found = what
			}
		}
	}
	return found
}

// declaration is what a name is declared as that stands between head and tail.
func declaration(head, tail string) declaredAs {
	if strings.Count(head, "(") != strings.Count(head, ")") {
		return "" // a parameter, or an argument
	}
	has := func(word string) bool { return strings.Contains(head, word) }
	function := strings.HasPrefix(tail, "(")
	switch {
	case has("__global__") && has("template"):
		return templateKernel
	case has("__global__") && function:
		return globalKernel
	case has("__device__") && function:
		return deviceFunction
	case has("__device__") || has("__constant__") || has("__managed__"):
		return deviceVariable
	case function && typed().MatchString(head) && !has("return") && !has("else"):
		return plainFunction
	}
	return ""
}

// hasMacro reports whether a word in head is a macro of the text.
func hasMacro(text, head string) bool {
	for _, macro := range defined().FindAllStringSubmatch(text, -1) {
		if slices.Contains(identifierIn().FindAllString(head, -1), macro[1]) {
			return true
		}
	}
	return false
}

// lastWord is the name itself in "ns::axpy<float>": "axpy"; "" if there is none.
func lastWord(name string) string {
	name, _, _ = strings.Cut(name, "<")
	words := identifierIn().FindAllString(name, -1)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}
