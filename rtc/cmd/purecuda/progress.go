package main

import (
	"fmt"
	"io"
	"strings"
)

// progress is a bar in a terminal's last line. Nil shows nothing.
type progress struct {
	w     io.Writer
	width int // of what stands there
}

// show draws the bar: so many are done, the last of which is called name.
func (p *progress) show(done, total int, name string) {
	if p == nil {
		return
	}
	p.clear()
	const cells = 24
	full := cells * done / total
	line := printable(fmt.Sprintf("[%s%s] %d/%d %s", strings.Repeat("#", full), strings.Repeat(".", cells-full), done, total, name))
	if runes := []rune(line); len(runes) > 78 { // a line that breaks could not be cleared
		line = string(runes[:77]) + "…"
	}
	p.width = len([]rune(line))
	fmt.Fprint(p.w, line)
}

// clear takes the bar away.
func (p *progress) clear() {
	if p == nil || p.width == 0 {
		return
	}
	fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.width))
	p.width = 0
}
