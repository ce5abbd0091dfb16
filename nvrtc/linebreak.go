package nvrtc

import (
	"fmt"
	"strings"
)

// Comments and literals, a raw string only as far as it has no quotes inside.
var commentOrLiteral = pattern(`(?s)//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`)

// hidingCR finds a CR that was meant to end a line where NVRTC, to which only LF
// does, would leave out what follows, or misread it: behind a // comment, and
// around a directive. It is -1 if there is none: elsewhere a CR is a blank.
func hidingCR(text string) int {
	if loneCR(text) < 0 {
		return -1
	}
	from := 0
	for _, at := range append(commentOrLiteral().FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		if i := crAtDirective(text, from, at[0]); i >= 0 {
			return i
		}
		if strings.HasPrefix(text[at[0]:at[1]], "//") {
			if i := crBeforeText(text, at[0], at[1]); i >= 0 {
				return i
			}
		}
		from = at[1]
	}
	return -1
}

// loneCR is the place of the first CR that no LF follows, or -1.
func loneCR(text string) int {
	for i := 0; ; i++ {
		n := strings.IndexByte(text[i:], '\r')
		if n < 0 {
			return -1
		}
		if i += n; !strings.HasPrefix(text[i+1:], "\n") {
			return i
		}
	}
}

// crBeforeText finds a CR in text[from:to], which is within a line, that has
// more than blanks behind it.
func crBeforeText(text string, from, to int) int {
	i := loneCR(text[from:to])
	if i < 0 || strings.TrimSpace(text[from+i:to]) == "" {
		return -1
	}
	return from + i
}

// crAtDirective finds a CR before or behind a directive in text[from:to], which
// is neither comment nor literal.
func crAtDirective(text string, from, to int) int {
	for i := from; i < to; i++ {
		if text[i] != '#' {
			continue
		}
		before := strings.TrimRight(text[:i], " \t\v\f")
		if strings.HasSuffix(before, "\r") {
			return len(before) - 1
		}
		if before != "" && before[len(before)-1] != '\n' {
			continue // not the first of a line
		}
		if cr := crBeforeText(text, i, i+lineLen(text[i:])); cr >= 0 {
			return cr
		}
	}
	return -1
}

// lineLen is the length of the first line of text, with those that backslashes
// join to it.
func lineLen(text string) int {
	for n := 0; ; n++ {
		end := strings.IndexByte(text[n:], '\n')
		if end < 0 {
			return len(text)
		}
		n += end
		if !strings.HasSuffix(strings.TrimSuffix(text[:n], "\r"), "\\") {
			return n
		}
	}
}

// lineBreakError is for the CR at offset i.
func lineBreakError(what, text string, i int) error {
	return &TextError{What: what, Offset: i, Reason: fmt.Sprintf(
		"the line that ends at offset %d of %d ends with CR alone, which ends no line for NVRTC: it would not see what follows; end lines with LF", i, len(text))}
}
