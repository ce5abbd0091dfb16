package compile

import (
	"slices"
	"strings"
)

// redirect has each #include and __has_include of text that asks for i ask for the
// name in quotes instead. Lines stay. It reports whether there was one: it finds
// what scan does, but for what is spliced or written with trigraphs.
func redirect(text string, i include, name string) (string, bool) {
	b := []byte(text)
	asked := "<" + i.name + ">"
	if i.quoted {
		asked = `"` + i.name + `"`
	}
	type span struct{ begin, name int } // where the word begins, and the name
	var spans []span
	note := func(begin, pos int, next bool) {
		if next == i.next && strings.HasPrefix(text[pos:], asked) {
			spans = append(spans, span{begin, pos})
		}
	}
	for _, mark := range []string{"#", "%:"} {
		for at := range occurrences(b, mark) {
			begin := blanks(b, at+len(mark))
			switch word, end := wordAt(b, begin); word {
			case "include", "include_next", "import", "embed":
				note(begin, blanks(b, end), word == "include_next")
			}
		}
	}
	for _, part := range []string{"has_include", "HAS_INCLUDE", "has_embed"} {
		for at := range occurrences(b, part) {
			for at > 0 && isWord(b[at-1]) {
				at--
			}
			word, end := wordAt(b, at)
			if pos := blanks(b, end); pos < len(b) && b[pos] == '(' {
				note(at, blanks(b, pos+1), strings.HasSuffix(strings.ToLower(word), "_next"))
			}
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return b.begin - a.begin }) // the last one first
	for _, s := range slices.Compact(spans) {
		word := strings.Replace(text[s.begin:s.name], "include_next", "include", 1)
		text = text[:s.begin] + word + `"` + name + `"` + text[s.name+len(asked):]
	}
	return text, len(spans) > 0
}
