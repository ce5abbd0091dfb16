package rediscache

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestReplies holds what passes, in one piece and byte by byte, and that it is counted for
// each reply by itself.
func TestReplies(t *testing.T) {
	for text, passes := range map[string]bool{
		"+OK\r\n:1\r\n-ERR no\r\n$-1\r\n*-1\r\n_\r\n":                          true,
		"$90\r\n" + strings.Repeat("$9", 45) + "\r\n":                          true,
		"$0\r\n\r\n*0\r\n":                                                     true,
		strings.Repeat("$50\r\n"+strings.Repeat("x", 50)+"\r\n", 100):          true,
		strings.Repeat("*2\r\n$1\r\n*\r\n*1\r\n%1\r\n+a\r\n:1\r\n", 100):       true,
		"*4\r\n" + strings.Repeat("$30\r\n"+strings.Repeat("x", 30)+"\r\n", 4): false,
		"$101\r\n":                        false,
		"$99999999999999999999999999\r\n": false,
		"$\r\n":                           false,
		"*200001\r\n":                     false,
		"%100001\r\n":                     false,
		"*2\r\n*199999\r\n":               false,
		strings.Repeat("*1\r\n", 26):      false,
		"+" + strings.Repeat("x", 100):    false,
		strings.Repeat("\r", 101):         false,
	} {
		whole, bytewise := replies{most: 100}, replies{most: 100}
		assert.Equal(t, passes, whole.pass([]byte(text)) == nil, "%.60q", text)
		for i := range len(text) {
			_ = bytewise.pass([]byte(text[i : i+1]))
		}
		assert.Equal(t, passes, bytewise.bad == nil, "%.60q", text)
	}
}
