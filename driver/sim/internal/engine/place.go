package engine

import (
	"fmt"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A place is where an instruction comes from in the source: a [ptx.Loc], and for inlined code the place that it was inlined at, which may be
// inlined itself.
type place struct {
	loc   *ptx.Loc
	outer *place
}

// A sourcePoint is a line and column of a source file.
type sourcePoint struct{ file, line, column int64 }

// locate makes a [ptx.Loc] the place of what follows. NVRTC writes the place that code was inlined at before that code, so the newest place with
// the line and column that the Loc names is the one.
func (d *decoder) locate(loc *ptx.Loc) {
	p := &place{loc: loc}
	if in := loc.Inlined; in != nil {
		at := sourcePoint{in.File, in.Source, in.Column}
		if p.outer = d.places[at]; p.outer == nil {
			p.outer = &place{loc: &ptx.Loc{File: in.File, Source: in.Source, Column: in.Column}}
		}
	}
	d.places[sourcePoint{loc.File, loc.Source, loc.Column}] = p
	d.loc, d.at = loc, p
}

// place is where an instruction comes from: "k.cu:12:7", or "" without line information.
func (p *Program) place(loc *ptx.Loc) string {
	if loc == nil || loc.Source == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", p.files[loc.File], loc.Source, loc.Column)
}

// inlined is where the code at a place was inlined, innermost first: "k.cu:30:2, k.cu:41:9"; "" where it was not.
func (p *Program) inlined(at *place) string {
	var s []string
	for at != nil && at.outer != nil && len(s) < 64 {
		at = at.outer
		if text := p.place(at.loc); text != "" {
			s = append(s, text)
		}
	}
	return strings.Join(s, ", ")
}

// called is where the calls stand that are under way, innermost first: "k.cu:30:2 (9 times), PTX line 12"; "" for the kernel's own activation.
func (p *Program) called(a *activation) string {
	var s []string
	for a.parent != nil {
		if len(s) == 4 {
			s = append(s, "…")
			break
		}
		site, times := a.site, 0
		in := a.parent.fn.insts[site.inst]
		for ; a.parent != nil && a.site == site; a = a.parent {
			times++
		}
		at := p.place(in.loc)
		if at == "" {
			at = fmt.Sprintf("PTX line %d", in.Line)
		}
		if times > 1 {
			at += fmt.Sprintf(" (%d times)", times)
		}
		s = append(s, at)
	}
	return strings.Join(s, ", ")
}

// where says where an instruction stands, for the text of a fault: "k.cu:12:7, PTX line 33 (st.shared.f32)".
func (p *Program) where(in *instruction) string {
	text := fmt.Sprintf("PTX line %d (%s)", in.Line, in.Form())
	if at := p.place(in.loc); at != "" {
		text = at + ", " + text
	}
	return text
}
