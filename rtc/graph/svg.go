package graph

import (
	"fmt"
	"strings"
	"time"
)

// Sizes of the picture, in pixels.
const (
	svgLane   = 48  // the height of a stream
	svgBox    = 32  // of a task
	svgLabel  = 110 // the width of the streams' names
	svgLetter = 8   // of a letter, about
	svgWidest = 4000
)

// SVG is a picture of the plan: streams are lanes, time goes to the right, as
// long as each task takes what it costs; the critical path is red, and an arrow
// is an event that a stream waits for.
func (p *Plan) SVG() string {
	if p == nil {
		p = &Plan{}
	}
	scale := p.scale()
	x := func(t time.Duration) float64 { return svgLabel + float64(t)*scale }
	y := func(lane int) int { return 8 + lane*svgLane }
	width, height := x(p.Total)+16, y(len(p.Streams))+8
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n", width, height)
	b.WriteString("<style>.l{fill:#f2f4f7}.t{fill:#cfe0f5;stroke:#4a6a91}.c{fill:#f8d3d3;stroke:#b3261e;stroke-width:2}.w{stroke:#555;fill:none;stroke-width:1.5}</style>\n")
	b.WriteString("<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"#555\"/></marker></defs>\n")
	fmt.Fprintf(&b, "<rect width=\"%.0f\" height=\"%d\" fill=\"#fff\"/>\n", width, height)
	critical := p.onCritical()
	for s, lane := range p.Streams {
		fmt.Fprintf(&b, "<rect class=\"l\" x=\"4\" y=\"%d\" width=\"%.0f\" height=\"%d\"/>\n", y(s), width-8, svgLane-4)
		fmt.Fprintf(&b, "<text x=\"12\" y=\"%d\">%s</text>\n", y(s)+26, escape(cut(p.title(s), (svgLabel-16)/svgLetter)))
		for _, t := range lane.Tasks {
			class := "t"
			if critical[t] {
				class = "c"
			}
			w := x(p.End[t]) - x(p.Start[t]) - 4
			fmt.Fprintf(&b, "<g><title>%s</title><rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"4\"/>", escape(p.label(t, ", ")), class, x(p.Start[t]), y(s)+6, max(w, 1), svgBox)
			if room := int(w-8) / svgLetter; room > 0 {
				fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%d\">%s</text>", x(p.Start[t])+6, y(s)+26, escape(cut(p.name(t), room)))
			}
			b.WriteString("</g>\n")
		}
	}
	for _, w := range p.sorted() {
		from, to := p.Stream[w.From], p.Stream[w.To]
		y1, y2 := y(from)+6+svgBox, y(to)+6
		if to < from {
			y1, y2 = y(from)+6, y(to)+6+svgBox
		}
		fmt.Fprintf(&b, "<path class=\"w\" marker-end=\"url(#a)\" d=\"M%.1f %d L%.1f %d\"/>\n", x(p.End[w.From])-8, y1, x(p.Start[w.To])+4, y2)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// scale is pixels for a nanosecond: so that the tasks' names fit, but no wider
// than what can be looked at.
func (p *Plan) scale() float64 {
	if p.Total == 0 {
		return 1
	}
	scale := 640 / float64(p.Total)
	for i := range p.Tasks {
		scale = max(scale, float64(svgLetter*min(len([]rune(p.name(i))), 12)+18)/float64(max(p.End[i]-p.Start[i], 1)))
	}
	return min(scale, svgWidest/float64(p.Total))
}

// cut shortens a text to n letters.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:max(n-1, 0)]) + "…"
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}
