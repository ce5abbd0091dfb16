package nvrtc

import (
	"fmt"
	"strings"
)

const bom = "\xef\xbb\xbf" // U+FEFF in UTF-8

// cText is s with a NUL behind it. It refuses a NUL inside s, where NVRTC would
// stop reading without a word.
func cText(what, s string) ([]byte, error) {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return nil, &TextError{What: what, Offset: i, Reason: fmt.Sprintf("NUL byte at offset %d of %d (line %d)", i, len(s), 1+strings.Count(s[:i], "\n"))}
	}
	b := make([]byte, len(s)+1)
	copy(b, s)
	return b, nil
}

// cSource is cText for what NVRTC parses: it takes away one byte order mark,
// which NVRTC calls an unrecognized token, and refuses UTF-16 and UTF-32 by
// name, the byte 0xFF, which NVRTC takes for the end of the text, without a
// word, and lines that end with CR alone where that hides what follows. All other bytes stay as they are, invalid UTF-8 too.
func cSource(what, s string) ([]byte, error) {
	if strings.HasPrefix(s, "\x7fELF") {
		return nil, &TextError{What: what, Reason: "the text is an ELF file, such as a cubin, and compiled already: package rtc's LoadModule takes cubins"}
	}
	if enc := wideEncoding(s); enc != "" {
		return nil, &TextError{What: what, Reason: "the text is " + enc + "; NVRTC reads UTF-8"}
	}
	if i := strings.IndexByte(s, 0xff); i >= 0 {
		return nil, &TextError{What: what, Offset: i, Reason: fmt.Sprintf("byte 0xff at offset %d of %d (line %d), where NVRTC would stop reading: the text is not UTF-8", i, len(s), 1+strings.Count(s[:i], "\n"))}
	}
	if i := hidingCR(s); i >= 0 {
		return nil, lineBreakError(what, s, i)
	}
	return cText(what, strings.TrimPrefix(s, bom))
}

// wideEncoding names the encoding of s when that is UTF-16 or UTF-32, by its
// byte order mark or by NULs in every second place.
func wideEncoding(s string) string {
	switch {
	case strings.HasPrefix(s, "\xff\xfe\x00\x00"):
		return "UTF-32 (little-endian)"
	case strings.HasPrefix(s, "\x00\x00\xfe\xff"):
		return "UTF-32 (big-endian)"
	case strings.HasPrefix(s, "\xff\xfe"):
		return "UTF-16 (little-endian)"
	case strings.HasPrefix(s, "\xfe\xff"):
		return "UTF-16 (big-endian)"
	case len(s) >= 4 && s[0] != 0 && s[1] == 0 && s[2] != 0 && s[3] == 0:
		return "UTF-16 (little-endian, without a byte order mark)"
	case len(s) >= 4 && s[0] == 0 && s[1] != 0 && s[2] == 0 && s[3] != 0:
		return "UTF-16 (big-endian, without a byte order mark)"
	}
	return ""
}
