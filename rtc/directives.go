package rtc

import "strings"

const byteOrderMark = "\ufeff"

// A span is a piece of a text.
type span struct{ start, end int }

// quotedIncludes finds the names in #include "…" and __has_include("…") of
// C++ text. It knows comments and literals, whose text is none, but no macros
// and no #if: a name in a part that is left out is found as well.
func quotedIncludes(text string) []span {
	s := cppScanner{text: text}
	if strings.HasPrefix(text, byteOrderMark) {
		s.pos = len(byteOrderMark)
	}
	for s.pos < len(text) {
		s.step()
	}
	return s.found
}

// A cppScanner runs over C++ text.
type cppScanner struct {
	text   string
	pos    int
	inLine bool // something other than blanks came before in this line
	found  []span
}

// step passes what begins at pos.
func (s *cppScanner) step() {
	if s.blank() {
		return
	}
	c, fresh := s.text[s.pos], !s.inLine
	s.inLine = c != '\n'
	switch {
	case c == '#' && fresh:
		s.pos++
		s.directive()
	case c == '"' || c == '\'':
		s.literal(c)
	case isDigit(c):
		s.number()
	case isWord(c):
		s.word()
	default:
		s.pos++
	}
}

// blank passes one blank, joined line or comment.
func (s *cppScanner) blank() bool {
	rest := s.text[s.pos:]
	switch {
	case strings.HasPrefix(rest, "/*"):
		s.skipPast(2, "*/")
	case strings.HasPrefix(rest, "//"):
		s.pos += 2
		for s.pos < len(s.text) && s.text[s.pos] != '\n' {
			s.pos += max(1, joint(s.text[s.pos:]))
		}
	case joint(rest) > 0:
		s.pos += joint(rest)
	case rest != "" && strings.IndexByte(" \t\r\v\f", rest[0]) >= 0:
		s.pos++
	default:
		return false
	}
	return true
}

// joint is the length of a backslash with the end of its line, which C++ does
// not see, or 0.
func joint(s string) int {
	switch {
	case strings.HasPrefix(s, "\\\n"):
		return 2
	case strings.HasPrefix(s, "\\\r\n"):
		return 3
	}
	return 0
}

// skipPast passes n bytes and then all up to the end of mark.
func (s *cppScanner) skipPast(n int, mark string) {
	s.pos += n
	if i := strings.Index(s.text[s.pos:], mark); i >= 0 {
		s.pos += i + len(mark)
		return
	}
	s.pos = len(s.text)
}

// directive looks at what stands behind a #.
func (s *cppScanner) directive() {
	for s.blank() {
	}
	switch s.word() {
	case "include":
		for s.blank() {
		}
		s.quoted()
	case "if", "elif":
		for s.pos < len(s.text) && s.text[s.pos] != '\n' {
			switch {
			case s.blank():
			case isDigit(s.text[s.pos]):
				s.number()
			case !isWord(s.text[s.pos]):
				s.pos++
			case s.word() == "__has_include":
				for s.blank() {
				}
				if strings.HasPrefix(s.text[s.pos:], "(") {
					s.pos++
					for s.blank() {
					}
					s.quoted()
				}
			}
		}
	}
}

// quoted notes a name in quotes, if one comes here.
func (s *cppScanner) quoted() {
	if !strings.HasPrefix(s.text[s.pos:], `"`) {
		return
	}
	s.pos++
	n := strings.IndexAny(s.text[s.pos:], "\"\n")
	if n < 0 || s.text[s.pos+n] == '\n' {
		return
	}
	s.found = append(s.found, span{s.pos, s.pos + n})
	s.pos += n + 1
}

// literal passes a string or a character; a line ends it at the latest.
func (s *cppScanner) literal(quote byte) {
	for s.pos++; s.pos < len(s.text); {
		switch c := s.text[s.pos]; {
		case joint(s.text[s.pos:]) > 0:
			s.pos += joint(s.text[s.pos:])
		case c == '\n':
			return
		case c == '\\' && s.pos+1 < len(s.text):
			s.pos += 2
		default:
			s.pos++
			if c == quote {
				return
			}
		}
	}
}

// number passes digits with what belongs to them: 0x1p-3, 1'000'000.
func (s *cppScanner) number() {
	for ; s.pos < len(s.text); s.pos++ {
		c := s.text[s.pos]
		apart := c == '\'' && s.pos+1 < len(s.text) && isWord(s.text[s.pos+1])
		if !isWord(c) && c != '.' && !apart {
			return
		}
	}
}

// word passes a word and gives it. If it is the prefix of a raw string, it
// passes that as well.
func (s *cppScanner) word() string {
	start := s.pos
	for s.pos < len(s.text) && isWord(s.text[s.pos]) {
		s.pos++
	}
	word := s.text[start:s.pos]
	switch word {
	case "R", "LR", "uR", "UR", "u8R":
		rest := s.text[s.pos:min(len(s.text), s.pos+18)] // as much as a delimiter has
		if open := strings.IndexByte(rest, '('); strings.HasPrefix(rest, `"`) && open > 0 {
			s.skipPast(open+1, ")"+rest[1:open]+`"`)
		}
	}
	return word
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool {
	return c == '_' || c == '$' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
