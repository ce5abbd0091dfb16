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

// A computed is an #include of what a macro says.
type computed struct {
	expression string
	next       bool
}

// mostComputed is how many a text may have.
const mostComputed = 100

// findings are what a text does with files and with the time, as far as text
// can tell.
type findings struct {
	includes []include
	computed []computed
	unseen   string // a file that can't be told without compiling, in words; "" for none
	clock    string // a macro that writes the time; "" for none

	seen map[include]bool // includes, while a text is scanned
}

// scan finds every file that C++ text can have the compiler read. It finds too
// many rather than too few: it knows no #if, and takes comments and literals
// for code where that only adds a file to look at. The phases of translation
// are gone through in their order, with trigraphs and without: what splices a
// line or hides a # can't hide an #include, nor can what looks like a comment or a
// literal and is none, or only in some dialect. It takes time by the length of the
// text, whatever that is: it may be somebody else's, and nothing stops a scan.
func scan(text []byte) findings {
	var f findings
	if bytes.IndexByte(text, 0) >= 0 {
		// UTF-16, or something that is no text: a compiler may read it otherwise.
		f.unseen = "bytes that are no text"
		return f
	}
	for _, reading := range readings(text) {
		f.add(reading)
	}
	f.seen = nil
	return f
}

// readings are text as it is once lines are spliced: without trigraphs, and, if it has
// some, with them, which the dialect decides.
func readings(text []byte) [][]byte {
	all := [][]byte{spliced(text)}
	if bytes.Contains(text, []byte("??")) {
		all = append(all, spliced(untrigraphed(text)))
	}
	return all
}

// spliced is text without backslashes at the end of lines, and those ends.
func spliced(text []byte) []byte {
	var out []byte
	done := 0
	for at := range occurrences(text, "\\") {
		n := 1
		for at+n < len(text) && text[at+n] == '\r' {
			n++ // NVRTC takes any number of them
		}
		if at+n == len(text) || text[at+n] != '\n' {
			continue
		}
		n++
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

// untrigraphed is text with the trigraphs written out.
func untrigraphed(text []byte) []byte { return []byte(trigraphs.Replace(string(text))) }

var trigraphs = strings.NewReplacer("??=", "#", "??/", `\`, "??'", "^", "??(", "[", "??)", "]", "??!", "|", "??<", "{", "??>", "}", "??-", "~")

// add looks at each # and each word that matters, wherever it stands.
func (f *findings) add(text []byte) {
	code, line := coder{text: text}, line{}
	for m := range code.mentions() {
		if f.header(text, m.name, m.next) || f.unseen != "" {
			continue
		}
		line.goOn(text, m.at)
		if m.question && (!line.mayDirect() || asked(text[line.begin:m.at]) || code.passedOn(m)) || !m.question && !line.mayBegin() {
			continue
		}
		switch word := string(m.word); {
		case m.question:
			f.unseen = word + " of a macro"
		case word == "embed":
			f.unseen = "#" + word + " of a macro"
		case len(f.computed) == mostComputed:
			f.unseen = "so many #include of macros"
		default:
			f.computed = append(f.computed, computed{code.value(m.name), m.next})
		}
	}
	for _, begin := range []string{"__TI", "__DA"} {
		for at := range occurrences(text, begin) {
			switch word := string(wordAt(text, at, len("__TIMESTAMP__")+1)); word {
			case "__TIME__", "__DATE__", "__TIMESTAMP__":
				if f.clock == "" && code.has(at) {
					f.clock = word
				}
			}
		}
	}
}

// mostName is more than the name of a file has. In place of a longer one, which
// might end anywhere, there is none that is known here.
const mostName = 4096

// header notes the name in quotes or angles at pos; false if there is none.
func (f *findings) header(text []byte, pos int, next bool) bool {
	if pos >= len(text) || text[pos] != '"' && text[pos] != '<' {
		return false
	}
	quoted := text[pos] == '"'
	end := byte('>')
	if quoted {
		end = '"'
	}
	name := text[pos+1 : min(len(text), pos+1+mostName)]
	n := bytes.IndexByte(name, end)
	if n < 0 || bytes.IndexByte(name[:n], '\n') >= 0 {
		return false
	}
	i := include{string(name[:n]), quoted, next}
	if f.seen[i] {
		return true
	}
	if f.seen == nil {
		f.seen = map[include]bool{}
	}
	f.seen[i] = true
	f.includes = append(f.includes, i)
	return true
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
