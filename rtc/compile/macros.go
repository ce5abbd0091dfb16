package compile

import (
	"bytes"
	"slices"
	"strings"
)

// definitions are the values that the macros of a text have, by name. A macro with
// parameters has the value "(".
type definitions map[string][]string

const withParameters = "("

// define finds all #define lines, whatever #if is around them.
func define(text []byte) definitions {
	d := definitions{}
	d.add(spliced(text))
	if bytes.Contains(text, []byte("??=")) || bytes.Contains(text, []byte("??/")) {
		d.add(spliced(untrigraphed(text)))
	}
	return d
}

func (d definitions) add(text []byte) {
	code := coder{text: text}
	for _, mark := range []string{"#", "%:"} {
		for at := range occurrences(text, mark) {
			begin := code.blanks(at + len(mark))
			if string(wordAt(text, begin, len("define")+1)) != "define" {
				continue
			}
			begin = code.blanks(begin + len("define"))
			name := string(code.word(begin))
			if name != "" {
				d[name] = append(d[name], code.value(begin+len(name)))
			}
		}
	}
}

// value is that of the macro whose name ends at pos. One that is no part of a
// file's name is made a blank.
func (c *coder) value(pos int) string {
	rest := c.text[pos:min(len(c.text), pos+mostDefinition)]
	if len(rest) > 0 && rest[0] == '(' {
		return withParameters
	}
	line, _, ended := bytes.Cut(rest, []byte("\n"))
	if !ended && len(rest) == mostDefinition {
		return " "
	}
	line, _, _ = bytes.Cut(line, []byte("//"))
	for {
		before, comment, ok := bytes.Cut(line, []byte("/*"))
		if !ok {
			return string(bytes.TrimSpace(line))
		}
		_, after, ends := bytes.Cut(comment, []byte("*/"))
		if !ends || bytes.IndexByte(before, '"') >= 0 {
			return " "
		}
		line = slices.Concat(before, []byte(" "), after)
	}
}

// macros are the definitions of several texts.
type macros []definitions

func (m macros) values(name string) (all []string) {
	for _, d := range m {
		all = append(all, d[name]...)
	}
	return all
}

// mostReadings is how many a computed include may have.
const mostReadings = 256

// includes are the files that #include of expression may mean: with each macro as
// any #define has it, or as no macro. ok is false if they can't be told.
func (m macros) includes(expression string, next bool) (all []include, ok bool) {
	readings, ok := m.read(strings.TrimSpace(expression), nil)
	if !ok {
		return nil, false
	}
	for _, r := range readings {
		if len(r) < 3 {
			continue
		}
		name := r[1 : len(r)-1]
		switch {
		case r[0] == '"' && r[len(r)-1] == '"' && !strings.Contains(name, `"`):
			all = append(all, include{name, true, next})
		case r[0] == '<' && r[len(r)-1] == '>' && !strings.Contains(name, ">"):
			all = append(all, include{name, false, next})
		}
	}
	return all, len(all) > 0
}

// read is what text may be once its macros are replaced, but for those within.
func (m macros) read(text string, within []string) (all []string, ok bool) {
	all = []string{""}
	for pos := 0; pos < len(text); {
		here := []string{text[pos : pos+1]}
		switch c := text[pos]; {
		case c == '"':
			end := strings.IndexByte(text[pos+1:], '"')
			if end < 0 {
				return nil, false
			}
			here[0] = text[pos : pos+end+2]
		case isDigit(c):
			here[0] = string(wordAt([]byte(text), pos, len(text)))
		case isWord(c):
			word := string(wordAt([]byte(text), pos, len(text)))
			called := strings.HasPrefix(text[pos+len(word):], "(")
			if here, ok = m.word(word, called, within); !ok {
				return nil, false
			}
			pos += len(word) - len(here[0])
		case c == '#', c == ' ', c == '\t': // pasted; what NVRTC makes of blanks is not known
			return nil, false
		}
		pos += len(here[0])
		var longer []string
		for _, a := range all {
			for _, h := range here {
				longer = append(longer, a+h)
			}
		}
		if all = longer; len(all) > mostReadings {
			return nil, false
		}
	}
	return all, true
}

// word is what a word may be, itself before all: a macro may not be defined at
// the place.
func (m macros) word(word string, called bool, within []string) (all []string, ok bool) {
	all = []string{word}
	for _, w := range within {
		if w == word {
			return all, true
		}
	}
	values := m.values(word)
	if len(values) == 0 {
		// The compiler defines some itself.
		return all, word[0] != '_' && word != "unix" && word != "linux"
	}
	seen := map[string]bool{word: true}
	for _, v := range values {
		if v == withParameters {
			if called {
				return nil, false
			}
			continue
		}
		readings, ok := m.read(v, append(within[:len(within):len(within)], word))
		if !ok {
			return nil, false
		}
		for _, r := range readings {
			if !seen[r] {
				seen[r] = true
				all = append(all, r)
			}
		}
		if len(all) > mostReadings {
			return nil, false
		}
	}
	return all, true
}
