package compile

import (
	"bytes"
	"context"

	"github.com/purecuda/purecuda/rtc/cache"
)

// preamble is what NVRTC makes a precompiled header of: the directives that a
// source begins with, up to the first that isn't closed when other code comes, and
// the comments among them. It is "" where nothing is included there.
func preamble(source string) string {
	text := []byte(source)
	code := coder{text: text}
	end, depth := 0, 0
	for pos := code.blanks(0); pos < len(text); pos = code.blanks(pos) {
		switch {
		case text[pos] == '\n':
			pos++
			continue
		case bytes.HasPrefix(text[pos:], []byte("//")):
			pos = lineEnd(text, pos)
			continue
		case text[pos] != '#':
			pos = len(text)
			continue
		}
		switch string(wordAt(text, code.blanks(pos+1), len("ifndef")+1)) {
		case "if", "ifdef", "ifndef":
			depth++
		case "endif":
			depth--
		}
		if pos = lineEnd(text, pos); depth == 0 {
			end = pos
		}
	}
	if len(scan(text[:end]).includes) == 0 {
		return ""
	}
	return source[:end]
}

// lineEnd is the place behind the line at pos, as C++ sees it.
func lineEnd(text []byte, pos int) int {
	for pos < len(text) {
		n := bytes.IndexByte(text[pos:], '\n')
		if n < 0 {
			break
		}
		line := bytes.TrimSuffix(text[pos:pos+n], []byte("\r"))
		pos += n + 1
		if !bytes.HasSuffix(line, []byte(`\`)) {
			return pos
		}
	}
	return len(text)
}

// preambleKey is the key of what a precompiled header of r's preamble depends on.
// NVRTC itself takes one whatever has become of the headers that it was made of.
// All that the source includes is part of the key, not what text alone includes,
// so that it doesn't matter if NVRTC sees the preamble's end elsewhere. unseen says
// why there is no key.
func preambleKey(ctx context.Context, r *Request, text string) (key cache.Key, unseen string, err error) {
	bare := *r
	bare.Exports, bare.Extra = nil, ""
	return keyOfText(ctx, machineFiles, &bare, text, nil)
}
