package compile

import (
	"bytes"
	"iter"
	"strings"
)

// An include is a file that a text may have the compiler read.
type include struct {
	name   string
	quoted bool // "name", not <name>
	next   bool // #include_next: where the search begins is not known here
}

// findings are what a text does with files and with the time, as far as text
// can tell.
type findings struct {
	includes []include
	unseen   string // a file that can't be told without compiling, in words; "" for none
	clock    string // a macro that writes the time; "" for none
}

// scan finds every file that C++ text can have the compiler read. It finds too
// many rather than too few: it knows no #if, and takes comments and literals
// for code where that only adds a file to look at. The phases of translation
// are gone through in their order, with trigraphs and without: what splices a
// line or hides a # can't hide an #include.
func scan(text []byte) findings {
	var f findings
	if bytes.IndexByte(text, 0) >= 0 {
		// UTF-16, or something that is no text: a compiler may read it otherwise.
		f.unseen = "bytes that are no text"
		return f
	}
	plain := spliced(text)
	f.add(plain)
	if bytes.Contains(text, []byte("??=")) || bytes.Contains(text, []byte("??/")) {
		f.add(spliced(untrigraphed(text)))
	}
	return f
}

// spliced is text without backslashes at the end of lines, and those ends.
func spliced(text []byte) []byte {
	var out []byte
	done := 0
	for at := range occurrences(text, "\\") {
		n := 0
		switch rest := text[at:]; {
		case bytes.HasPrefix(rest, []byte("\\\n")):
			n = 2
		case bytes.HasPrefix(rest, []byte("\\\r\n")):
			n = 3
		default:
			continue
		}
		if out == nil {
			out = make([]byte, 0, len(text))
		}
		out = append(out, text[done:at]...)
		done = at + n
	}
	if out == nil {
		return text
	}
	return append(out, text[done:]...)
}

// untrigraphed is text with the trigraphs written out that a directive can be
// hidden by.
func untrigraphed(text []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("??="), []byte("#")), []byte("??/"), []byte(`\`))
}

// add looks at each # and each word that matters, wherever it stands.
func (f *findings) add(text []byte) {
	code := coder{text: text}
	for _, mark := range []string{"#", "%:"} {
		for at := range occurrences(text, mark) {
			pos := blanks(text, at+len(mark))
			word, end := wordAt(text, pos)
			next := word == "include_next"
			if !next && word != "include" && word != "import" && word != "embed" {
				continue
			}
			if !f.header(text, blanks(text, end), next) && code.has(at) {
				f.cannotSee("#" + word + " of a macro")
			}
		}
	}
	for _, part := range []string{"has_include", "HAS_INCLUDE", "has_embed"} {
		for at := range occurrences(text, part) {
			f.question(text, at, &code)
		}
	}
	for _, begin := range []string{"__TI", "__DA"} {
		for at := range occurrences(text, begin) {
			switch word, _ := wordAt(text, at); word {
			case "__TIME__", "__DATE__", "__TIMESTAMP__":
				if f.clock == "" && code.has(at) {
					f.clock = word
				}
			}
		}
	}
}

func (f *findings) cannotSee(what string) {
	if f.unseen == "" {
		f.unseen = what
	}
}

// header notes the name in quotes or angles at pos; false if there is none.
func (f *findings) header(text []byte, pos int, next bool) bool {
	if pos >= len(text) || text[pos] != '"' && text[pos] != '<' {
		return false
	}
	quoted := text[pos] == '"'
	end := ">\n"
	if quoted {
		end = "\"\n"
	}
	n := bytes.IndexAny(text[pos+1:], end)
	if n < 0 || text[pos+1+n] == '\n' {
		return false
	}
	i := include{string(text[pos+1 : pos+1+n]), quoted, next}
	for _, have := range f.includes {
		if have == i {
			return true
		}
	}
	f.includes = append(f.includes, i)
	return true
}

// question looks at __has_include, and at macros that have it in their name,
// since libraries have one: QT_HAS_INCLUDE(x) is __has_include(x). at is within
// the word.
func (f *findings) question(text []byte, at int, code *coder) {
	for at > 0 && isWord(text[at-1]) {
		at--
	}
	word, end := wordAt(text, at)
	pos := blanks(text, end)
	if pos < len(text) && text[pos] == '(' && f.header(text, blanks(text, pos+1), strings.HasSuffix(strings.ToLower(word), "_next")) {
		return
	}
	if asked(text[:at]) || passedOn(text, at, pos) || !code.has(at) {
		return
	}
	f.cannotSee(word + " of a macro")
}

// asked reports whether text ends in something that asks for the name that
// follows, or says what it is, and does not use it: #ifdef, defined, defined(
// or #define.
func asked(text []byte) bool {
	text = bytes.TrimRight(text, " \t\v\f\r")
	bare := bytes.TrimRight(bytes.TrimSuffix(text, []byte("(")), " \t\v\f\r")
	begin := len(bare)
	for begin > 0 && isWord(bare[begin-1]) {
		begin--
	}
	switch string(bare[begin:]) {
	case "defined":
		return true
	case "ifdef", "ifndef", "elifdef", "elifndef", "define":
		return len(bare) == len(text)
	}
	return false
}

// passedOn reports whether the word at begin, whose argument opens at open, is
// in the definition of a macro that is taken for the same: #define
// HAS_INCLUDE(x) __has_include(x).
func passedOn(text []byte, begin, open int) bool {
	line := text[bytes.LastIndexByte(text[:begin], '\n')+1 : begin]
	pos := blanks(line, 0)
	if pos == len(line) || line[pos] != '#' {
		return false
	}
	word, pos := wordAt(line, blanks(line, pos+1))
	if word != "define" {
		return false
	}
	name, pos := wordAt(line, blanks(line, pos))
	if !strings.Contains(strings.ToLower(name), "has_include") {
		return false
	}
	parameter, ok := inParentheses(line, pos)
	argument, ok2 := inParentheses(text, open)
	return ok && ok2 && parameter == argument
}

// inParentheses is the word in parentheses at pos.
func inParentheses(text []byte, pos int) (string, bool) {
	if pos >= len(text) || text[pos] != '(' {
		return "", false
	}
	word, end := wordAt(text, blanks(text, pos+1))
	end = blanks(text, end)
	return word, word != "" && end < len(text) && text[end] == ')'
}

// occurrences are the places of word in text.
func occurrences(text []byte, word string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; at += len(word) {
			n := bytes.Index(text[at:], []byte(word))
			if n < 0 {
				return
			}
			at += n
			if !yield(at) {
				return
			}
		}
	}
}

// blanks is the place behind the blanks and comments at pos, in the same line
// as C++ sees it.
func blanks(text []byte, pos int) int {
	for pos < len(text) {
		switch c := text[pos]; {
		case c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r':
			pos++
		case bytes.HasPrefix(text[pos:], []byte("/*")):
			n := bytes.Index(text[pos+2:], []byte("*/"))
			if n < 0 {
				return len(text)
			}
			pos += n + 4
		default:
			return pos
		}
	}
	return pos
}

// wordAt is the word that begins at pos, and its end.
func wordAt(text []byte, pos int) (string, int) {
	end := pos
	for end < len(text) && isWord(text[end]) {
		end++
	}
	return string(text[pos:end]), end
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
