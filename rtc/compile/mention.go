package compile

import (
	"bytes"
	"iter"
	"slices"
	"strings"
)

// A mention is a place where the compiler may look for a file: an #include and its
// like, or a question by __has_include, or by a macro that has it in its name, since
// libraries have one: QT_HAS_INCLUDE(x) is __has_include(x).
type mention struct {
	at       int    // where it begins: at the # or the word
	word     []byte // "include", "__has_include"
	begin    int    // of the word
	behind   int    // of what follows the word and blanks
	name     int    // where the file's name is, if it is one; the text's end if there is none
	next     bool   // it asks for the next one
	question bool
}

// mentions are those of the text, in no order.
func (c *coder) mentions() iter.Seq[mention] {
	return func(yield func(mention) bool) {
		for _, mark := range []string{"#", "%:"} {
			for at := range occurrences(c.text, mark) {
				begin := c.blanks(at + len(mark))
				word := wordAt(c.text, begin, len("include_next")+1)
				switch string(word) {
				case "include", "include_next", "import", "embed":
					name := c.blanks(begin + len(word))
					if !yield(mention{at: at, word: word, begin: begin, behind: name, name: name, next: string(word) == "include_next"}) {
						return
					}
				}
			}
		}
		for _, part := range questions {
			end := 0
			for at := range occurrences(c.text, part) {
				if at < end {
					continue // it is in the last one's word
				}
				for at > 0 && isWord(c.text[at-1]) {
					at--
				}
				word := wordAt(c.text, at, len(c.text))
				end = at + len(word)
				m := mention{at: at, word: word, begin: at, behind: c.blanks(end), name: len(c.text), question: true}
				if m.behind < len(c.text) && c.text[m.behind] == '(' {
					m.name = c.blanks(m.behind + 1)
					m.next = strings.HasSuffix(strings.ToLower(string(word)), "_next")
				}
				if !yield(m) {
					return
				}
			}
		}
	}
}

// questions are in the words that ask, and in the names of macros that are taken for
// the same.
var questions = []string{"has_include", "HAS_INCLUDE", "has_embed"}

// asked reports whether a line ends in something that asks for the name that
// follows, or says what it is, and does not use it: #ifdef, defined, defined(
// or #define.
func asked(line []byte) bool {
	line = trimBlanks(line)
	bare := trimBlanks(bytes.TrimSuffix(line, []byte("(")))
	begin := len(bare)
	for begin > 0 && isWord(bare[begin-1]) {
		begin--
	}
	switch string(bare[begin:]) {
	case "defined":
		return true
	case "ifdef", "ifndef", "elifdef", "elifndef", "define":
		// Any other word of that name may be a macro's.
		before := trimBlanks(bare[:begin])
		return len(bare) == len(line) && (bytes.HasSuffix(before, []byte("#")) || bytes.HasSuffix(before, []byte("%:")))
	}
	return false
}

func trimBlanks(b []byte) []byte { return bytes.TrimRight(b, " \t\v\f\r") }

// mostDefinition is how far into a line passedOn looks for a question.
const mostDefinition = 1024

// passedOn reports whether a question is in the definition of a macro that is taken
// for the same: #define HAS_INCLUDE(x) __has_include(x).
func (c *coder) passedOn(m mention) bool {
	before := c.text[max(0, m.at-mostDefinition):m.at]
	begin := bytes.LastIndexByte(before, '\n') + 1
	if begin == 0 && len(before) < m.at {
		return false
	}
	line := coder{text: before[begin:]}
	pos := line.blanks(0)
	if pos == len(line.text) || line.text[pos] != '#' {
		return false
	}
	pos = line.blanks(pos + 1)
	word := line.word(pos)
	if string(word) != "define" {
		return false
	}
	pos = line.blanks(pos + len(word))
	name := line.word(pos)
	if !slices.ContainsFunc(questions, func(part string) bool { return bytes.Contains(name, []byte(part)) }) {
		return false
	}
	parameter := line.inParentheses(pos + len(name))
	return parameter != nil && bytes.Equal(parameter, c.inParentheses(m.behind))
}

// inParentheses is the word in parentheses at pos; nil: there is none.
func (c *coder) inParentheses(pos int) []byte {
	if pos >= len(c.text) || c.text[pos] != '(' {
		return nil
	}
	begin := c.blanks(pos + 1)
	word := c.word(begin)
	end := c.blanks(begin + len(word))
	if len(word) == 0 || end >= len(c.text) || c.text[end] != ')' {
		return nil
	}
	return word
}

// word is the word at pos, or as much of it as a definition has.
func (c *coder) word(pos int) []byte { return wordAt(c.text, pos, mostDefinition) }
