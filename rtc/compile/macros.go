package compile

import (
	"bytes"
	"slices"
	"strings"
)

// definitions are the values that the macros of a text have, by name. A macro with
// parameters has a value that none has that can be written.
type definitions map[string][]string

const withParameters = "\n"

// mostDefined is how many bytes the values in a text may have in all: on a line of
// many #define each has what the next one has.
const mostDefined = 16 << 20

// define finds all #define lines, whatever #if is around them; false: there are too
// many.
func define(text []byte) (definitions, bool) {
	d := definitions{}
	for _, reading := range readings(text) {
		if !d.add(reading) {
			return nil, false
		}
	}
	return d, true
}

func (d definitions) add(text []byte) bool {
	code, total := coder{text: text}, 0
	for _, mark := range []string{"#", "%:"} {
		for at := range occurrences(text, mark) {
			begin := code.blanks(at + len(mark))
			if string(wordAt(text, begin, len("define")+1)) != "define" {
				continue
			}
			begin = code.blanks(begin + len("define"))
			name := string(code.word(begin))
			if name == "" {
				continue
			}
			value := code.value(begin + len(name))
			if total += len(value); total > mostDefined {
				return false
			}
			d[name] = append(d[name], value)
		}
	}
	return true
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
type macros struct {
	known []definitions
	found map[string]valuesSoFar
	left  int // of mostWork
}

// valuesSoFar are those of a name in the first texts.
type valuesSoFar struct {
	texts  int
	values []string
}

const (
	// mostReadings is how many a computed include may have.
	mostReadings = 256
	// mostWork is how many values a search looks at, and bytes it writes, for all
	// computed includes. Values that lead to one another in a circle would be read in
	// every order otherwise.
	mostWork = 4 << 20
)

func (m *macros) values(name string) []string {
	have := m.found[name]
	m.left -= 1 + len(m.known) - have.texts
	for _, d := range m.known[have.texts:] {
		m.left -= len(d[name])
		for _, v := range d[name] {
			if !slices.Contains(have.values, v) && len(have.values) <= mostReadings { // so many are refused
				have.values = append(have.values, v)
			}
		}
	}
	have.texts = len(m.known)
	if m.found == nil {
		m.found = map[string]valuesSoFar{}
	}
	m.found[name] = have
	return have.values
}

// includes are the files that #include of expression may mean: with each macro as
// any #define has it, or as no macro. ok is false if they can't be told.
func (m *macros) includes(expression string, next bool) (all []include, ok bool) {
	if m.left < 0 {
		return nil, false
	}
	readings, ok := m.read(strings.TrimSpace(expression), nil)
	if !ok {
		return nil, false
	}
	for _, r := range readings {
		end := byte('"')
		switch {
		case r == "" || r[0] != '"' && r[0] != '<':
			continue // NVRTC refuses it
		case r[0] == '<':
			end = '>'
		}
		if strings.IndexByte(r[1:], end) != len(r)-2 {
			return nil, false // it takes a part of it
		}
		if name := r[1 : len(r)-1]; name != "" {
			all = append(all, include{name, end == '"', next})
		}
	}
	return all, len(all) > 0
}

// read is what text may be once its macros are replaced, but for those within. What
// it can't tell is what NVRTC may read as more than is written: blanks, tokens that
// are pasted, macros that are called, characters by their number, raw strings.
func (m *macros) read(text string, within []string) (all []string, ok bool) {
	all = []string{""}
	for pos := 0; pos < len(text); {
		here := []string{text[pos : pos+1]}
		switch c := text[pos]; {
		case c == '"' && pos == 0:
			end := strings.IndexByte(text[1:], '"')
			if end < 0 || strings.ContainsAny(text[1:end+1], "\\\r") {
				return nil, false
			}
			here[0] = text[:end+2]
		case isDigit(c):
			here[0] = string(wordAt([]byte(text), pos, len(text)))
		case isWord(c):
			word := string(wordAt([]byte(text), pos, len(text)))
			if here, ok = m.word(word, within); !ok {
				return nil, false
			}
			pos += len(word) - len(here[0])
		case strings.IndexByte("<>/.-+,=~@", c) < 0:
			return nil, false
		}
		pos += len(here[0])
		var longer []string
		for _, a := range all {
			for _, h := range here {
				longer = append(longer, a+h)
				m.left -= len(a) + len(h)
			}
		}
		if all = longer; len(all) > mostReadings || m.left < 0 {
			return nil, false
		}
	}
	return all, true
}

// word is what a word that isn't called may be, itself before all: a macro may not be
// defined at the place.
func (m *macros) word(word string, within []string) (all []string, ok bool) {
	all = []string{word}
	if slices.Contains(within, word) {
		return all, true
	}
	if predefined(word) {
		return nil, false
	}
	values := m.values(word)
	if len(values) > mostReadings {
		return nil, false
	}
	seen := map[string]bool{word: true}
	for _, v := range values {
		if v == withParameters {
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
		if len(all) > mostReadings || m.left < 0 {
			return nil, false
		}
	}
	return all, true
}

// predefined reports whether the compiler may define a word itself, whatever headers
// do: what C++ leaves to it, but for Thrust's names, and what NVRTC is found to.
func predefined(word string) bool {
	switch word {
	case "unix", "linux", "NULL", "assert":
		return true
	}
	if rest, ok := strings.CutPrefix(word, "cuda"); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
		return true
	}
	for _, begin := range []string{"_", "NV_", "CU_", "CUDA", "va_"} {
		if strings.HasPrefix(word, begin) {
			return !strings.HasPrefix(word, "__THRUST_")
		}
	}
	return false
}
