package main

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable is text as it can be shown: sources and names of files may have what a
// terminal obeys. Of that newlines and tabs alone stay; the rest is as Go writes it.
func printable(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && n == 1 || unicode.IsControl(r) && r != '\n' && r != '\t', unicode.Is(unicode.Bidi_Control, r):
			quoted := strconv.QuoteToASCII(text[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}
