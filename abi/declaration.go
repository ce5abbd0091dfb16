package abi

import (
	"slices"
	"strings"
)

// declaration reports whether the tokens of text are more than a parameter
// list: one in parentheses, with a semicolon, or a kernel's whole declaration.
// inner is the list in it, "" if it can't be told.
func declaration(text string, tokens []token) (inner string, is bool) {
	n := len(tokens)
	for n > 0 && strings.Contains(";{}", tokens[n-1].text) {
		n--
	}
	is = n < len(tokens) || slices.Contains([]string{"__global__", "extern", "template", "("}, tokens[0].text)
	switch {
	case n == 0:
		return "", is
	case tokens[n-1].text == ")":
		open := partner(tokens[:n])
		if open < 0 || !isHead(tokens[:open]) {
			return "", is
		}
		return strings.TrimSpace(text[tokens[open].end:tokens[n-1].start]), true
	case is && !slices.ContainsFunc(tokens[:n], func(t token) bool { return strings.Contains("(;{}", t.text) }):
		return strings.TrimSpace(text[:tokens[n-1].end]), true
	}
	return "", is
}

// partner finds the ( that the ) at the end closes; -1 if none does.
func partner(tokens []token) int {
	depth := 0
	for i, t := range slices.Backward(tokens) {
		switch t.text {
		case ")":
			depth++
		case "(":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// isHead reports whether a kernel's parentheses can follow: behind nothing, its
// name, or what declares a kernel, which returns void.
func isHead(tokens []token) bool {
	n := len(tokens)
	if n == 0 || n == 1 && tokens[0].kind == identifier && !reserved[tokens[0].text] {
		return true
	}
	declares := slices.ContainsFunc(tokens, func(t token) bool { return t.text == "void" || t.text == "__global__" })
	body := slices.ContainsFunc(tokens, func(t token) bool { return t.text == "{" })
	return declares && !body && len(splitParams(tokens)) == 1 && tokens[n-1].kind == identifier && tokens[n-1].text != "void"
}
