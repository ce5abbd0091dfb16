package ptx

// variable reads a declaration from its state space to the end of the first declarator.
func (p *parser) variable(linkage Linkage, line int) *Variable {
	v := Variable{Linkage: linkage, Line: line}
	if v.Space = Space(p.directive("a state space")); !v.Space.known() && p.err == nil {
		p.fail("unknown state space %q", clip(string(v.Space)))
	}
	v.Attributes = p.attributes()
	v.Alignment = p.align()
	v.Vector = p.vectorWidth()
	v.Type = p.typ()
	return p.declarator(v)
}

// declarator reads "name<range>[dims] = init" of a declaration that begins as v.
func (p *parser) declarator(v Variable) *Variable {
	at, line := p.start, p.line
	v.Name, v.Range, v.Count, v.Dims, v.Init = p.name("a name"), false, 0, nil, nil
	if p.err != nil {
		return &v
	}
	register := v.Space == SpaceReg || v.Space == SpaceSReg
	if p.got('<') {
		v.Range = true
		n := p.natural()
		if n > MaxRegisters {
			p.failAt(at, line, "a range of %d registers is more than %d", n, MaxRegisters)
		} else if !register {
			p.failAt(at, line, "a range of variables that are not registers")
		}
		v.Count = int(n)
		p.want('>')
	}
	v.Dims = p.dims()
	if _, ok := byteSize(v.Type, v.Vector, v.Dims); !ok {
		p.failAt(at, line, "variable %q has more than %d bytes", clip(v.Name), int64(MaxBytes))
		return &v
	}
	if p.defined.depth == 0 {
		p.defineItem(v.Name, false, v.Linkage != LinkExtern, at, line)
	} else {
		p.define(localName{v.Name, v.Range}, at, line, v.Count, false)
	}
	switch {
	case v.Range:
		p.names.declareRange(v.Name, v.Count)
	case register:
		p.names.declare(v.Name, registerName)
	default:
		p.names.declare(v.Name, variableName)
	}
	if p.got('=') {
		v.Init = p.initializer()
	}
	return &v
}

func (p *parser) align() int {
	if !p.gotDirective("align") {
		return 0
	}
	at, line := p.start, p.line
	n := p.natural()
	if n <= 0 || n > maxAlign || n&(n-1) != 0 {
		p.failAt(at, line, "alignment %d is not a power of two up to %d", n, maxAlign)
		return 0
	}
	return int(n)
}

func (p *parser) vectorWidth() int {
	for w, s := range [...]string{2: "v2", 4: "v4", 8: "v8"} {
		if s != "" && p.gotDirective(s) {
			return w
		}
	}
	return 0
}

func (p *parser) typ() Type {
	if p.tok == dotted {
		if t := Type(p.text()[1:]); t.known() {
			p.next()
			return t
		}
	}
	p.expected("a type")
	return ""
}

func (p *parser) dims() (dims []int64) {
	for p.tok == '[' {
		if len(dims) == maxDims {
			p.fail("more than %d dimensions", maxDims)
			return dims
		}
		p.next()
		if p.got(']') {
			dims = append(dims, Unsized)
			continue
		}
		dims = append(dims, p.natural())
		p.want(']')
	}
	return dims
}

// initializer reads what follows "=".
func (p *parser) initializer() Operand {
	switch p.tok {
	case '{':
		if !p.enter() {
			return nil
		}
		defer p.leave()
		p.next()
		mark := len(p.operandStack)
		for p.tok != '}' && p.err == nil {
			p.operandStack = append(p.operandStack, p.field())
			if !p.got(',') {
				break
			}
			if p.tok == '}' {
				p.expected("a value")
			}
		}
		p.want('}')
		v := p.vectors.alloc()
		v.Elems = p.popOperands(mark)
		return v
	case ident:
		return p.symbolInit()
	}
	c := p.constant()
	if n, ok := c.(*Int); ok && p.got('(') {
		m := &Mask{Mask: n, X: p.symbolInit()}
		p.want(')')
		return m
	}
	return c
}

// field reads a value in braces, which for samplers is name = value.
func (p *parser) field() Operand {
	x := p.initializer()
	s, ok := x.(*Symbol)
	if !ok || s.Offset != 0 || !p.got('=') {
		return x
	}
	if p.tok == ident {
		return &Field{Name: s.Name, Value: &Symbol{Name: p.name("a value")}}
	}
	return &Field{Name: s.Name, Value: p.constant()}
}

// symbolInit reads name+offset or generic(name)+offset.
func (p *parser) symbolInit() Operand {
	name := p.name("a symbol")
	if name == "generic" && p.got('(') {
		g := &Generic{Name: p.name("a variable")}
		p.want(')')
		g.Offset = p.plusOffset()
		return g
	}
	s := p.symbols.alloc()
	s.Name, s.Offset = name, p.plusOffset()
	return s
}

// plusOffset reads "+constant" where there is one.
func (p *parser) plusOffset() int64 {
	if !p.got('+') {
		return 0
	}
	return p.number64()
}
