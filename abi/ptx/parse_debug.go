package ptx

// file reads `.file 1 "path", time, size`.
func (p *parser) file() *File {
	f := &File{Line: p.line}
	p.next()
	f.Index = p.plainNumber()
	f.Path = p.quotedText()
	if p.got(',') {
		f.HasInfo = true
		f.Time = uint64(p.plainNumber())
		p.want(',')
		f.Size = uint64(p.plainNumber())
	}
	return f
}

// loc reads ".loc 1 2 3" and what it may say of inlining.
func (p *parser) loc() *Loc {
	l := p.locs.alloc()
	l.Line = p.line
	p.next()
	l.File, l.Source, l.Column = p.plainNumber(), p.plainNumber(), p.plainNumber()
	if !p.got(',') {
		return l
	}
	in := &Inlined{}
	l.Inlined = in
	p.keyword("function_name")
	in.Function = p.name("a label")
	if p.got('+') {
		in.FunctionOffset = p.plainNumber()
	}
	p.want(',')
	p.keyword("inlined_at")
	in.File, in.Source, in.Column = p.plainNumber(), p.plainNumber(), p.plainNumber()
	return l
}

func (p *parser) keyword(s string) {
	if p.tok != ident || p.text() != s {
		p.expected(s)
		return
	}
	p.next()
}

// plainNumber takes a literal. What follows it is not part of an expression: .loc has no commas.
func (p *parser) plainNumber() int64 {
	_, v := p.plainLiteral()
	return v
}

// plainLiteral takes a literal and returns its spelling too.
func (p *parser) plainLiteral() (string, int64) {
	from, negative := p.start, p.tok == '-'
	if negative {
		p.next()
	}
	if p.tok != integer {
		p.expected("a number")
		return "", 0
	}
	bits, _ := p.literal()
	if p.err != nil {
		return "", 0
	}
	text := p.src[from:p.end]
	if negative && from+1 != p.start {
		text = "-" + p.text()
	}
	p.next()
	if negative {
		return text, -int64(bits)
	}
	return text, int64(bits)
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
			s.Offset = p.plainNumber()
		}
		return s
	}
	n := p.ints.alloc()
	n.Text, n.Value = p.plainLiteral()
	return n
}
