package ptx

var sink = &Sink{}

// operand reads one operand, with the predicate that may stand beside it.
func (p *parser) operand() Operand {
	x := p.single()
	if p.tok == '|' {
		p.next()
		return &Pair{First: x, Second: p.single()}
	}
	return x
}

func (p *parser) single() Operand {
	switch p.tok {
	case ident:
		return p.named()
	case '[':
		return p.address()
	case '{':
		if !p.enter() {
			return nil
		}
		p.next()
		mark := len(p.operandStack)
		for p.tok != '}' && p.err == nil {
			p.operandStack = append(p.operandStack, p.single())
			if !p.got(',') {
				break
			}
			if p.tok == '}' {
				p.expected("an operand")
			}
		}
		p.want('}')
		p.leave()
		v := p.vectors.alloc()
		v.Elems = p.popOperands(mark)
		return v
	case '!', '-':
		if c := p.peek(); class[c]&isStart == 0 {
			return p.constant()
		}
		op := p.tok
		p.next()
		if p.tok != ident {
			p.expected("a register")
			return nil
		}
		x := p.named()
		if op == '!' {
			return &Not{X: x}
		}
		return &Neg{X: x}
	case integer, float, dotted, '+', '~', '(':
		return p.constant()
	}
	p.expected("an operand")
	return nil
}

// peek returns the byte behind the token and the blanks after it; 0 at the end and at a comment.
func (p *parser) peek() byte {
	for i := p.end; i < len(p.src); i++ {
		if c := p.src[i]; class[c]&isSpace == 0 {
			return c
		}
	}
	return 0
}

// named reads an operand that starts with an identifier.
func (p *parser) named() Operand {
	x := p.base()
	if s, ok := x.(*Symbol); ok {
		s.Offset = p.plusOffset()
	}
	return x
}

// base reads an identifier with the component or index that belongs to it.
func (p *parser) base() Operand {
	name := p.text()
	p.next()
	switch {
	case name == "_":
		return sink
	case (name[0] == '%' || name[0] == 'W') && isSpecial(name):
		return &Special{Name: name, Component: p.component()}
	case !p.branch && p.names.isRegister(name):
		r := p.registers.alloc()
		r.Name = name
		if p.tok == dotted {
			r.Component = p.component()
		}
		return r
	}
	if p.tok == '[' {
		p.next()
		e := &Element{Name: name, Index: p.number64()}
		p.want(']')
		return e
	}
	s := p.symbols.alloc()
	s.Name = name
	return s
}

// component takes the suffix of a register, without its dot.
func (p *parser) component() string {
	if p.tok != dotted {
		return ""
	}
	return p.directive("a component")
}

// address reads "[base+offset, more]".
func (p *parser) address() Operand {
	a := p.addresses.alloc()
	at, line := p.start, p.line
	p.next()
	switch p.tok {
	case ident:
		a.Base = p.base()
		if p.tok == '+' {
			p.next()
			a.Offset, a.Written = p.number64(), true
		}
	case integer, '(', '-', '+', '~':
		a.Base = p.constant()
	default:
		p.expected("an address")
		return a
	}
	switch a.Base.(type) {
	case *Symbol, *Register, *Int, *Element:
	default:
		p.failAt(at, line, "not an address")
	}
	if p.tok == ',' {
		mark := len(p.operandStack)
		for p.got(',') {
			p.operandStack = append(p.operandStack, p.single())
		}
		a.Coords = p.popOperands(mark)
	}
	p.want(']')
	return a
}
