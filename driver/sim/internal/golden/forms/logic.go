package forms

import (
	"fmt"
	"strings"
)

// logic adds lop3: every table of truth, eight to a kernel, and the forms with a predicate.
func logic(l *list) {
	for first := 0; first < 256; first += 8 {
		var body, out []string
		for i := range 8 {
			body = append(body, fmt.Sprintf("lop3.b32 %%%s, %%a, %%b, %%c, %d;", outNames[i:i+1], first+i))
			out = append(out, "b32")
		}
		c := l.add("logic", fmt.Sprintf("lop3.b32 from %d", first), strings.Join(body, "\n"), "b32 b32 b32", strings.Join(out, " "))
		c.Count = 128
	}
	for _, op := range []string{"and", "or"} {
		for _, table := range []int{0x80, 0xe8, 0x96, 0x01} {
			l.add("logic", fmt.Sprintf("lop3.%s.b32 with %d", op, table), fmt.Sprintf("lop3.%s.b32 %%d|%%q, %%a, %%b, %%c, %d, %%e;", op, table), "b32 b32 b32 pred", "b32 pred").Count = 256
		}
	}
}
