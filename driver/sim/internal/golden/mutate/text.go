package mutate

import (
	"fmt"
	"regexp"
	"strings"
)

var words = regexp.MustCompile(`"[^"\n]*"|//[^\n]*|%?[A-Za-z_$][A-Za-z0-9_$]*|\.[a-z][A-Za-z0-9_]*(?:::[a-z0-9_]+)?|0[fFdDxX][0-9a-fA-F]+|[0-9]+|\n|[ \t]+|.`)

// types are what a type or another short modifier is changed to.
var types = strings.Fields(".u8 .s8 .b8 .u16 .s16 .b16 .f16 .bf16 .u32 .s32 .b32 .f32 .u64 .s64 .b64 .f64 .f16x2 .pred .v2 .v4 .global .shared .local .const .param .reg .volatile .sync .cc .hi .lo .wide .sat .ftz .rn .rz")

// Text changes a few words or lines of a PTX text; other is one to take words from.
//
// Safe for concurrent use.
func Text(c *Choices, text, other string) string {
	for range 1 + c.below(4) {
		if c.below(3) == 0 {
			text = lines(c, text, other)
			continue
		}
		w := words.FindAllString(text, -1)
		if len(w) == 0 {
			return text
		}
		i := c.below(min(len(w), 1<<16))
		if c.below(2) == 0 { // more often in a body than in a comment
			for n := 0; n < 40 && strings.TrimSpace(w[i]) == ""; n++ {
				i = (i + 1) % len(w)
			}
		}
		switch c.below(8) {
		case 0:
			w[i] = ""
		case 1:
			w[i] += w[i]
		case 2:
			j := c.below(min(len(w), 1<<16))
			w[i], w[j] = w[j], w[i]
		case 3:
			if o := words.FindAllString(other, -1); len(o) > 0 {
				w[i] = o[c.below(min(len(o), 1<<16))]
			}
		case 4, 5: // a number for a number
			for n := 0; n < len(w) && (w[i][0] < '0' || w[i][0] > '9'); n++ {
				i = (i + 1) % len(w)
			}
			w[i] = fmt.Sprint(pick(c, numbers))
		default: // a type for a type
			for n := 0; n < len(w) && (w[i][0] != '.' || len(w[i]) < 3 || len(w[i]) > 8); n++ {
				i = (i + 1) % len(w)
			}
			w[i] = pick(c, types)
		}
		text = strings.Join(w, "")
	}
	return text
}

// lines drops, doubles, moves or brings in a line.
func lines(c *Choices, text, other string) string {
	l := strings.SplitAfter(text, "\n")
	i, j := c.below(len(l)), c.below(len(l))
	switch c.below(4) {
	case 0:
		l[i] = ""
	case 1:
		l[i] += l[j]
	case 2:
		l[i], l[j] = l[j], l[i]
	default:
		o := strings.SplitAfter(other, "\n")
		l[i] += o[c.below(len(o))]
	}
	return strings.Join(l, "")
}
