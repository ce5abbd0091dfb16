package ptx

import "math"

// file reads `.file 1 "path", time, size`.
func (p *parser) file() *File {
	f := &File{Line: p.line}
	p.next()
	f.Index = p.natural()
	f.Path = p.quotedText()
	if p.got(',') {
		f.HasInfo = true
		f.Time = p.natural64()
		p.want(',')
		f.Size = p.natural64()
	}
	return f
}

// loc reads ".loc 1 2 3" and what it may say of inlining.
func (p *parser) loc() *Loc {
	l := p.locs.alloc()
	l.Line = p.line
	p.next()
	l.File, l.Source, l.Column = p.natural(), p.natural(), p.natural()
	if !p.got(',') {
		return l
	}
	in := &Inlined{}
	l.Inlined = in
	p.keyword("function_name")
	in.Function = p.name("a label")
	if p.got('+') {
		in.FunctionOffset = p.natural()
	}
	p.want(',')
	p.keyword("inlined_at")
	in.File, in.Source, in.Column = p.natural(), p.natural(), p.natural()
	return l
}

func (p *parser) keyword(s string) {
	if p.tok != ident || p.text() != s {
		p.expected(s)
		return
	}
	p.next()
}

// natural64 takes a literal without sign. What follows it is not part of an expression: .loc has no commas.
func (p *parser) natural64() uint64 {
	if p.tok != integer {
		p.expected("a number")
		return 0
	}
	bits, _ := p.literal()
	if p.err == nil {
		p.next()
	}
	return bits
}

// natural takes a literal without sign that an int64 holds.
func (p *parser) natural() int64 {
	at, line := p.start, p.line
	n := p.natural64()
	if n > math.MaxInt64 {
		p.failAt(at, line, "number %d is out of range", n)
		return 0
	}
	return int64(n)
}

// section reads ".section .name { ... }".
func (p *parser) section() *Section {
	s := &Section{Line: p.line}
	p.next()
	s.Name = p.directive("a section's name")
	p.want('{')
	for p.tok != '}' && p.tok != eof {
		var d SectionData
		if p.tok == ident {
			d.Label = p.name("a label")
			p.want(':')
		}
		if p.tok == dotted {
			switch d.Type = p.typ(); d.Type {
			case "b8", "b16", "b32", "b64", "":
			default:
				p.fail("type %q in a section", d.Type)
			}
			mark := len(p.operandStack)
			for p.err == nil {
				p.operandStack = append(p.operandStack, p.sectionValue())
				if !p.got(',') {
					break
				}
			}
			d.Values = p.popOperands(mark)
		} else if d.Label == "" {
			p.expected("data or a label")
		}
		s.Data = append(s.Data, d)
	}
	p.want('}')
	return s
}

// sectionValue reads a number, a label or section with an offset, or the distance of two labels.
func (p *parser) sectionValue() Operand {
	switch p.tok {
	case ident, dotted:
		section := p.tok == dotted
		name := p.text()
		p.next()
		if !section && p.got('-') {
			return &Difference{X: name, Y: p.name("a label")}
		}
		s := p.symbols.alloc()
		s.Name = name
		if p.got('+') {
			s.Offset = p.natural()
		}
		return s
	}
	n := p.ints.alloc()
	from, negative := p.start, p.got('-')
	first, last := p.start, p.end
	n.Value = int64(p.natural64())
	if n.Text = p.src[first:last]; negative {
		n.Value = -n.Value
		if n.Text = "-" + n.Text; from+1 == first {
			n.Text = p.src[from:last]
		}
	}
	return n
}
