package dl

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// What a message may be long, in bytes.
const (
	longestWord = 512  // of a name, of which 256 and 128 remain
	longestText = 8192 // of which half and a quarter remain
)

// Shorten makes the text of a message readable where it quotes a name or an
// option of thousands of bytes: of each word that is over 512 bytes, a word
// being what has no blanks, and then of the text if that is over 8 KiB, the
// beginning and the end remain, with the number of bytes between. Other texts
// come back as they are. Safe for concurrent use.
func Shorten(text string) string {
	if len(text) <= longestWord {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		n := strings.IndexAny(text, " \t\r\n")
		if n < 0 {
			n = len(text)
		}
		word := text[:n]
		if n > longestWord {
			word = cut(word, longestWord/2, longestWord/4)
		}
		b.WriteString(word)
		if n < len(text) {
			b.WriteByte(text[n])
			n++
		}
		text = text[n:]
	}
	if b.Len() > longestText {
		return cut(b.String(), longestText/2, longestText/4)
	}
	return b.String()
}

// cut keeps the first and the last bytes of s, in whole characters.
func cut(s string, first, last int) string {
	last = len(s) - last
	for first > 0 && !utf8.RuneStart(s[first]) {
		first--
	}
	for last < len(s) && !utf8.RuneStart(s[last]) {
		last++
	}
	return fmt.Sprintf("%s…(%d bytes in all)…%s", s[:first], len(s), s[last:])
}
