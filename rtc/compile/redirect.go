package compile

import (
	"slices"
	"strings"
)

// redirect has each #include and __has_include of text that asks for i ask for the
// name in quotes instead. Lines stay. It reports whether there was one: it finds
// what scan does, but for what is spliced or written with trigraphs.
func redirect(text string, i include, name string) (string, bool) {
	asked := "<" + i.name + ">"
	if i.quoted {
		asked = `"` + i.name + `"`
	}
	type span struct{ begin, name int } // where the word begins, and the name
	var spans []span
	code := coder{text: []byte(text)}
	for m := range code.mentions() {
		if m.next == i.next && strings.HasPrefix(text[m.name:], asked) {
			spans = append(spans, span{m.begin, m.name})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return b.begin - a.begin }) // the last one first
	for _, s := range slices.Compact(spans) {
		word := strings.Replace(text[s.begin:s.name], "include_next", "include", 1)
		text = text[:s.begin] + word + `"` + name + `"` + text[s.name+len(asked):]
	}
	return text, len(spans) > 0
}
