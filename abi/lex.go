package abi

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token of a signature: an identifier, a number, a character in quotes, or
// punctuation, one character each but "::" and "...".
type token struct {
	text       string
	kind       tokenKind
	start, end int // in the signature
}

type tokenKind uint8

const (
	punctuation tokenKind = iota
	identifier
	number
	character
)

// lex splits a signature into tokens and drops blanks and comments.
func lex(s string) ([]token, error) {
	var tokens []token
	for i := 0; i < len(s); {
		rest := s[i:]
		r, size := utf8.DecodeRuneInString(rest)
		kind, n := punctuation, size
		switch {
		case unicode.IsSpace(r):
			i += size
			continue
		case strings.HasPrefix(rest, "//"):
			if n = strings.IndexByte(rest, '\n'); n < 0 {
				n = len(rest)
			}
			i += n
			continue
		case strings.HasPrefix(rest, "/*"):
			if n = strings.Index(rest[2:], "*/"); n < 0 {
				return nil, fmt.Errorf("the comment at byte %d does not end", i)
			}
			i += n + 4
			continue
		case r == '_' || unicode.IsLetter(r):
			kind, n = identifier, wordLen(rest)
		case unicode.IsDigit(r):
			kind, n = number, wordLen(rest)
		case r == '\'':
			if kind, n = character, quoteLen(rest); n == 0 {
				return nil, fmt.Errorf("the ' at byte %d has no partner", i)
			}
		case strings.HasPrefix(rest, "::"):
			n = 2
		case strings.HasPrefix(rest, "..."):
			n = 3
		case !strings.ContainsRune("*&,<>()[]=-+:;{}\"#.", r):
			return nil, fmt.Errorf("%s at byte %d has no place in a signature", describe(rest[:size], r), i)
		}
		tokens = append(tokens, token{rest[:n], kind, i, i + n})
		i += n
	}
	return tokens, nil
}

func describe(s string, r rune) string {
	if r == utf8.RuneError {
		return fmt.Sprintf("byte %#02x", s[0])
	}
	return fmt.Sprintf("%q", r)
}

// wordLen returns how many bytes of s are letters, digits or underscores.
func wordLen(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if n < 0 {
		return len(s)
	}
	return n
}

// quoteLen returns the length of the character literal at the start of s, or 0.
func quoteLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\'':
			return i + 1
		case '\n':
			return 0
		}
	}
	return 0
}

// splitParams cuts the tokens at the commas that stand in no brackets.
func splitParams(tokens []token) [][]token {
	var parts [][]token
	depth, start := 0, 0
	for i, t := range tokens {
		switch t.text {
		case "<", "(", "[", "{":
			depth++
		case ">", ")", "]", "}":
			depth--
		case ",":
			if depth <= 0 {
				parts = append(parts, tokens[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, tokens[start:])
}
