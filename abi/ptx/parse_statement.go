package ptx

func (p *parser) push(s Statement) { p.statementStack = append(p.statementStack, s) }

// statement reads one statement of a block.
func (p *parser) statement() {
	line := p.line
	switch p.tok {
	case ident:
		name, at := p.text(), p.start
		p.next()
		if p.tok == ':' {
			p.next()
			p.define(localName{name: name}, at, line, 0, true)
			p.labelled(name, line)
			return
		}
		p.push(p.instruction(nil, name, line))
	case '@':
		p.next()
		pred := p.predicates.alloc()
		pred.Negated = p.got('!')
		pred.Reg = p.name("a predicate")
		p.push(p.instruction(pred, p.name("an instruction"), line))
	case '{':
		scope := p.defined.open()
		p.push(p.block())
		p.closeScope(scope)
	case dotted:
		p.dottedStatement(line)
	default:
		p.expected("a statement")
	}
}

func (p *parser) dottedStatement(line int) {
	switch p.text() {
	case ".loc":
		p.push(p.loc())
	case ".pragma":
		pragma := &Pragma{Line: line, Strings: p.pragma()}
		p.want(';')
		p.push(pragma)
	default:
		linkage := p.linkage()
		if p.tok == dotted && !Space(p.text()[1:]).known() {
			p.fail("unknown directive %q", clip(p.text()))
			return
		}
		v := p.variable(linkage, line)
		p.push(v)
		for p.got(',') {
			v = p.declarator(*v)
			p.push(v)
		}
		p.want(';')
	}
}

// labelled reads what a label and its colon introduce, which most often is nothing.
func (p *parser) labelled(name string, line int) {
	if p.tok == dotted {
		switch p.text() {
		case ".branchtargets":
			p.next()
			p.push(&BranchTargets{Name: name, Labels: p.nameList("a label"), Line: line})
			return
		case ".calltargets":
			p.next()
			p.push(&CallTargets{Name: name, Functions: p.nameList("a function"), Line: line})
			return
		case ".callprototype":
			p.next()
			p.push(p.prototype(name, line))
			return
		}
	}
	l := p.labels.alloc()
	l.Name, l.Line = name, line
	p.push(l)
}

func (p *parser) nameList(what string) []string {
	list := []string{p.name(what)}
	for p.got(',') {
		list = append(list, p.name(what))
	}
	p.want(';')
	return list
}

func (p *parser) prototype(name string, line int) *CallPrototype {
	c := &CallPrototype{Name: name, Line: line}
	mark := p.names.mark()
	if p.tok == '(' {
		c.Return = p.params()
	}
	if p.tok != ident || p.text() != "_" {
		p.expected(`"_"`)
	} else {
		p.next()
	}
	if p.tok == '(' {
		c.Params = p.params()
	}
	c.Directives = p.directives()
	p.want(';')
	p.names.reset(mark)
	return c
}

// instruction reads modifiers and operands up to the semicolon.
func (p *parser) instruction(pred *Predicate, opcode string, line int) *Instruction {
	in := p.instructions.alloc()
	in.Pred, in.Opcode, in.Line = pred, opcode, line
	if opcode != "" && class[opcode[0]]&isStart != 0 && (opcode[0] == '%' || opcode[0] == '$' || opcode == "_") {
		p.fail("%q is not an instruction", clip(opcode))
		return in
	}
	mods := p.modifierStack[:0]
	for p.tok == dotted {
		mods = append(mods, p.src[p.start+1:p.end])
		p.next()
	}
	p.modifierStack = mods
	in.Modifiers = p.strings.slice(mods)
	if p.got(';') {
		return in
	}
	mark := len(p.operandStack)
	call := opcode == "call"
	p.branch = opcode == "bra"
	for p.err == nil {
		var x Operand
		if call && p.tok == '(' {
			x = p.list()
		} else {
			x = p.operand()
		}
		p.operandStack = append(p.operandStack, x)
		if !p.got(',') {
			break
		}
	}
	if p.tok != ';' {
		p.expected(`"," or ";"`)
	} else {
		p.next()
	}
	p.branch = false
	in.Operands = p.popOperands(mark)
	return in
}

func (p *parser) popOperands(mark int) []Operand {
	list := p.operands.slice(p.operandStack[mark:])
	p.operandStack = p.operandStack[:mark]
	return list
}

// list reads the arguments or results of a call.
func (p *parser) list() Operand {
	l := &List{}
	p.want('(')
	mark := len(p.operandStack)
	for p.tok != ')' && p.err == nil {
		p.operandStack = append(p.operandStack, p.operand())
		if !p.got(',') {
			break
		}
		if p.tok == ')' {
			p.expected("an argument")
		}
	}
	p.want(')')
	l.Elems = p.popOperands(mark)
	return l
}
