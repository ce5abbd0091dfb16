package nvrtc

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lookalikes are characters that web pages and word processors put in the place
// of what a compiler reads.
var lookalikes = func() map[rune]string {
	m := map[rune]string{'…': "...", '、': ",", '。': ".", '≤': "<=", '≥': ">=", '≠': "!="}
	for write, odd := range map[string]string{
		`"`: "“”„‟«»″", "'": "‘’‚‛′´", "-": "‐‑‒–—―−", "*": "×∗", "/": "÷∕",
	} {
		for _, r := range odd {
			m[r] = write
		}
	}
	for r := '！'; r <= '～'; r++ { // full-width ASCII
		m[r] = string(r - '！' + '!')
	}
	return m
}()

// An oddCharacter is one that is not ASCII, outside comments and literals.
type oddCharacter struct {
	line, column int // from 1, the column in bytes
	text         string
}

// oddCharacters are those of a text.
type oddCharacters struct {
	first []oddCharacter // of each line that has one
	count int
}

// findOdd finds them, in time by the length of the text.
func findOdd(text string) (all oddCharacters) {
	n := 1
	from := 0
	for _, at := range append(commentOrLiteral().FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		for i := from; i < at[0]; {
			if text[i] < utf8.RuneSelf {
				if text[i] == '\n' {
					n++
				}
				i++
				continue
			}
			_, size := utf8.DecodeRuneInString(text[i:])
			all.count++
			if len(all.first) == 0 || all.first[len(all.first)-1].line != n {
				all.first = append(all.first, oddCharacter{line: n, column: i - strings.LastIndexByte(text[:i], '\n'), text: text[i : i+size]})
			}
			i += size
		}
		n += strings.Count(text[at[0]:at[1]], "\n")
		from = at[1]
	}
	return all
}

// says tells of the first of a line, or of all if that has none; "" if there is none.
func (all oddCharacters) says(line int) string {
	if all.count == 0 {
		return ""
	}
	i, ok := slices.BinarySearchFunc(all.first, line, func(o oddCharacter, line int) int { return o.line - line })
	if !ok {
		i = 0
	}
	s := all.first[i].says()
	switch more := all.count - 1; {
	case more == 1:
		s += "; one more such character is there"
	case more > 1:
		s += fmt.Sprintf("; %d more such characters are there", more)
	}
	return s
}

// says tells what it is and what to write.
func (o oddCharacter) says() string {
	r, size := utf8.DecodeRuneInString(o.text)
	write, known := lookalikes[r]
	var s string
	switch {
	case r == utf8.RuneError && size == 1:
		s = fmt.Sprintf("byte %#02x: the text is not UTF-8", o.text[0])
	case known:
		s = fmt.Sprintf("%c (U+%04X): write %s", r, r, write)
	case unicode.IsSpace(r) || r == 0x2028 || r == 0x2029:
		s = fmt.Sprintf("a blank that is none to the compiler (U+%04X): write a plain one", r)
	case !unicode.IsPrint(r):
		s = fmt.Sprintf("a character that can't be seen (U+%04X): delete it", r)
	default:
		s = fmt.Sprintf("%c (U+%04X): outside comments and literals the compiler reads ASCII alone", r, r)
	}
	return fmt.Sprintf("line %d, column %d has %s", o.line, o.column, s)
}

// oddCharacter is for a text that was pasted from a web page or a document.
func (h *hinting) oddCharacter([]string) string {
	d := h.current
	// The file that is named first, then all: a #line may hide it.
	for _, named := range []bool{true, false} {
		for i, f := range h.files {
			line := d.Line
			if !named {
				line = 0
			} else if d.File != f.name && !(i == 0 && f.name == "") {
				continue
			}
			if odd := h.odd(i).says(line); odd != "" {
				where := "the source"
				if i > 0 {
					where = fmt.Sprintf("header %q", f.name)
				}
				return where + ", " + odd
			}
		}
	}
	return ""
}

// odd are the odd characters of h.files[i].
func (h *hinting) odd(i int) oddCharacters {
	if h.odds == nil {
		h.odds = make([]*oddCharacters, len(h.files))
	}
	if h.odds[i] == nil {
		all := findOdd(h.files[i].text)
		h.odds[i] = &all
	}
	return *h.odds[i]
}
