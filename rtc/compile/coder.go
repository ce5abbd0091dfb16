package compile

import (
	"bytes"
	"slices"
)

// A coder tells code from comments and literals. What is one depends on the
// dialect: whether there are raw strings and 1'000. A place is code if it is
// in any of the dialects.
type coder struct {
	text   []byte
	marks  [][]bool    // for each reading, by place; made when first asked
	closes []int       // the places of */; nil: not looked for yet
	behind map[int]int // where blanks and comments end that go on behind one of closes
}

// blanks is the place behind the blanks and comments at pos, in the same line
// as C++ sees it.
func (c *coder) blanks(pos int) int {
	var passed []int // of closes
	for {
		for pos < len(c.text) && isBlank(c.text[pos]) {
			pos++
		}
		if !bytes.HasPrefix(c.text[pos:], []byte("/*")) {
			break
		}
		if c.closes == nil { // each once: many comments may end at the same place
			c.closes = slices.AppendSeq([]int{}, occurrences(c.text, "*/"))
			c.behind = map[int]int{}
		}
		n, _ := slices.BinarySearch(c.closes, pos+2)
		if n == len(c.closes) {
			pos = len(c.text)
			break
		}
		if end, ok := c.behind[n]; ok {
			pos = end
			break
		}
		passed = append(passed, n)
		pos = c.closes[n] + 2
	}
	for _, n := range passed {
		c.behind[n] = pos
	}
	return pos
}

// has reports whether the character at pos is code.
func (c *coder) has(pos int) bool {
	if c.marks == nil {
		c.marks = append(c.marks, marked(c.text, reading{raw: true, digits: true}))
		if bytes.Contains(c.text, []byte(`R"`)) {
			c.marks = append(c.marks, marked(c.text, reading{digits: true}))
		}
		if bytes.IndexByte(c.text, '\'') >= 0 {
			c.marks = append(c.marks, marked(c.text, reading{raw: true}), marked(c.text, reading{}))
		}
	}
	for _, m := range c.marks {
		if m[pos] {
			return true
		}
	}
	return false
}

// A reading is how a dialect of C++ reads text.
type reading struct {
	raw    bool // R"(…)" is a literal
	digits bool // 1'000 is a number
}

// marked tells for each character of spliced text whether it is code.
func marked(text []byte, r reading) []bool {
	code := make([]bool, len(text))
	skip := func(pos int, mark string) int {
		if n := bytes.Index(text[pos:], []byte(mark)); n >= 0 {
			return pos + n + len(mark)
		}
		return len(text)
	}
	for pos := 0; pos < len(text); {
		switch c := text[pos]; {
		case bytes.HasPrefix(text[pos:], []byte("/*")):
			pos = skip(pos+2, "*/")
		case bytes.HasPrefix(text[pos:], []byte("//")):
			if n := bytes.IndexByte(text[pos:], '\n'); n >= 0 {
				pos += n
			} else {
				pos = len(text)
			}
		case isWord(c):
			word := wordAt(text, pos, len(text))
			end := pos + len(word)
			for i := pos; i < end; i++ {
				code[i] = true
			}
			for r.digits && isDigit(c) && end+1 < len(text) && text[end] == '\'' && isWord(text[end+1]) {
				end += 1 + len(wordAt(text, end+1, len(text)))
			}
			pos = end
			if r.raw && rawPrefix(string(word)) && pos < len(text) && text[pos] == '"' {
				if open := bytes.IndexByte(text[pos:min(len(text), pos+18)], '('); open > 0 {
					pos = skip(pos+open, ")"+string(text[pos+1:pos+open])+`"`)
				}
			}
		case c == '"' || c == '\'':
			pos = literalEnd(text, pos)
		default:
			code[pos] = true
			pos++
		}
	}
	return code
}

func rawPrefix(word string) bool {
	switch word {
	case "R", "LR", "uR", "UR", "u8R":
		return true
	}
	return false
}

// literalEnd is the place behind the string or character at pos; a line ends
// it at the latest.
func literalEnd(text []byte, pos int) int {
	quote := text[pos]
	for pos++; pos < len(text); pos++ {
		switch text[pos] {
		case '\n':
			return pos
		case '\\':
			pos++
		case quote:
			return pos + 1
		}
	}
	return len(text)
}

// wordAt is the word that begins at pos, or its first most bytes.
func wordAt(text []byte, pos, most int) []byte {
	text = text[pos:min(len(text), pos+most)]
	for i, c := range text {
		if !isWord(c) {
			return text[:i]
		}
	}
	return text
}

// isWord reports whether c is part of a word. To NVRTC neither $ nor what is beyond
// ASCII is.
func isWord(c byte) bool {
	return c == '_' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
