package ptx

// function reads from ".entry" or ".func" to the end of the body or declaration.
func (p *parser) function(linkage Linkage, line int) *Function {
	f := &Function{Linkage: linkage, Line: line, Entry: p.directive("a function") == "entry"}
	mark := p.names.mark()
	p.defined.params = p.defined.params[:0]
	f.Attributes = p.attributes()
	if !f.Entry && p.tok == '(' {
		f.Return = p.params()
	}
	nameAt, nameLine := p.start, p.line
	f.Name = p.name("a function's name")
	if p.tok == '(' {
		at, line := p.start, p.line
		f.Params = p.params()
		if f.Entry && p.err == nil && !place(f.Params) {
			p.failAt(at, line, "the parameters of %q have more than %d bytes", clip(f.Name), int64(MaxBytes))
		}
	}
	f.Directives = p.directives()
	p.defineItem(f.Name, true, p.tok == '{', nameAt, nameLine)
	if p.tok == '{' {
		scope := p.defined.open()
		p.defineParams(f)
		f.Body = p.block()
		p.closeScope(scope)
	} else if !p.got(';') {
		p.expected(`"{" or ";"`)
	}
	p.names.reset(mark)
	return f
}

// defineParams makes the parameters names of the body's scope.
func (p *parser) defineParams(f *Function) {
	where := p.defined.params
	for _, list := range [][]Param{f.Return, f.Params} {
		for i, a := range list {
			p.define(localName{name: a.Name}, int(where[i].at), int(where[i].line), 0, false)
		}
		where = where[len(list):]
	}
}

// params reads "(.param .b32 a, .param .u64 .ptr .global .align 4 b)".
func (p *parser) params() []Param {
	p.want('(')
	if p.got(')') {
		return nil
	}
	var list []Param
	for p.err == nil {
		list = append(list, p.param())
		if !p.got(',') {
			break
		}
	}
	p.want(')')
	return list
}

func (p *parser) param() Param {
	a := Param{Line: p.line}
	a.Space = Space(p.directive("a parameter"))
	if a.Space != SpaceParam && a.Space != SpaceReg && p.err == nil {
		p.fail("a parameter in state space %q", clip(string(a.Space)))
	}
	a.Alignment = p.align()
	a.Vector = p.vectorWidth()
	a.Type = p.typ()
	if p.gotDirective("ptr") {
		a.Pointer = &Pointer{}
		if s := p.tok; s == dotted && p.text() != ".align" {
			if a.Pointer.Space = Space(p.directive("a state space")); !a.Pointer.Space.known() {
				p.fail("unknown state space %q", clip(string(a.Pointer.Space)))
			}
		}
		a.Pointer.Align = p.align()
	}
	at, line := p.start, p.line
	if a.Name = p.name("a parameter's name"); p.err != nil {
		return a
	}
	p.defined.params = append(p.defined.params, position{int32(at), int32(line)})
	a.Dims = p.dims()
	if n, ok := byteSize(a.Type, a.Vector, a.Dims); !ok || n > MaxBytes {
		p.failAt(at, line, "parameter %q has more than %d bytes", clip(a.Name), int64(MaxBytes))
	}
	if a.Space == SpaceReg {
		p.names.declare(a.Name, registerName)
	} else {
		p.names.declare(a.Name, variableName)
	}
	return a
}

// directives reads those between parameters and body: each a name with numbers, or a pragma with strings.
func (p *parser) directives() (list []Directive) {
	for p.tok == dotted {
		if p.isDirective("pragma") {
			list = append(list, Directive{Name: "pragma", Strings: p.pragma()})
			p.want(';')
			continue
		}
		d := Directive{Name: p.directive("a directive")}
		if p.tok == integer {
			for p.err == nil {
				d.Args = append(d.Args, p.natural())
				if !p.got(',') {
					break
				}
			}
		}
		list = append(list, d)
	}
	return list
}

// block reads a body or nested block.
func (p *parser) block() *Block {
	b := &Block{Line: p.line}
	p.want('{')
	if !p.enter() {
		return b
	}
	defer p.leave()
	names, mark := p.names.mark(), len(p.statementStack)
	for p.tok != '}' && p.tok != eof {
		p.statement()
	}
	b.End = p.line
	p.want('}')
	b.Statements = p.statements.slice(p.statementStack[mark:])
	clear(p.statementStack[mark:])
	p.statementStack = p.statementStack[:mark]
	p.names.reset(names)
	return b
}
