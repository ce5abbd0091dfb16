package ptx

func (p *parser) module() *Module {
	m := &Module{}
	if !p.gotDirective("version") {
		p.expected(".version")
	}
	m.Version = p.version()
	if !p.gotDirective("target") {
		p.expected(".target")
	}
	m.Target = p.target()
	if p.gotDirective("address_size") {
		if m.AddressSize = int(p.natural()); m.AddressSize != 32 && m.AddressSize != 64 {
			p.fail("address size %d is neither 32 nor 64", m.AddressSize)
		}
	}
	for p.tok != eof {
		p.item(m)
	}
	return m
}

func (p *parser) version() (v Version) {
	if p.tok != float {
		p.expected("a version such as 8.4")
		return v
	}
	part, dots := &v.Major, 0
	for _, c := range []byte(p.text()) {
		switch {
		case c == '.' && dots == 0:
			part, dots = &v.Minor, 1
		case c < '0' || c > '9' || *part > 999:
			p.expected("a version such as 8.4")
			return v
		default:
			*part = *part*10 + int(c-'0')
		}
	}
	if p.src[p.end-1] == '.' {
		p.expected("a version such as 8.4")
	}
	p.next()
	return v
}

func (p *parser) target() (t Target) {
	t.Arch = p.name("a target such as sm_90")
	for p.got(',') {
		t.Options = append(t.Options, p.name("a target or option"))
	}
	return t
}

// item reads one item of the top level.
func (p *parser) item(m *Module) {
	line := p.line
	if p.tok != dotted {
		p.expected("a directive")
		return
	}
	switch p.text() {
	case ".file":
		m.Items = append(m.Items, p.file())
	case ".section":
		m.Items = append(m.Items, p.section())
	case ".pragma":
		pragma := &Pragma{Line: line, Strings: p.pragma()}
		p.want(';')
		m.Items = append(m.Items, pragma)
	case ".alias":
		p.next()
		at, nameLine := p.start, p.line
		a := &Alias{Line: line, Name: p.name("a name")}
		p.defineItem(a.Name, true, true, at, nameLine)
		p.want(',')
		a.Target = p.name("a function")
		p.want(';')
		m.Items = append(m.Items, a)
	default:
		p.declaration(m)
	}
}

// declaration reads a function or variable with its linkage.
func (p *parser) declaration(m *Module) {
	line := p.line
	linkage := p.linkage()
	switch {
	case p.isDirective("entry"), p.isDirective("func"):
		m.Items = append(m.Items, p.function(linkage, line))
	default:
		if p.tok == dotted && !Space(p.text()[1:]).known() {
			p.fail("unknown directive %q", clip(p.text()))
			return
		}
		v := p.variable(linkage, line)
		m.Items = append(m.Items, v)
		for p.got(',') {
			v = p.declarator(*v)
			m.Items = append(m.Items, v)
		}
		p.want(';')
	}
}

func (p *parser) linkage() Linkage {
	if p.tok == dotted {
		switch l := Linkage(p.text()[1:]); l {
		case LinkVisible, LinkExtern, LinkWeak, LinkCommon:
			p.next()
			return l
		}
	}
	return LinkInternal
}

// pragma reads the strings from ".pragma" on.
func (p *parser) pragma() []string {
	p.next()
	list := []string{p.quotedText()}
	for p.got(',') {
		list = append(list, p.quotedText())
	}
	return list
}

// attributes reads ".attribute(.managed, .unified(1, 2))".
func (p *parser) attributes() (list []Attribute) {
	for p.gotDirective("attribute") {
		p.want('(')
		for p.err == nil {
			a := Attribute{Name: p.directive("an attribute")}
			if p.got('(') {
				for p.err == nil {
					a.Args = append(a.Args, p.natural64())
					if !p.got(',') {
						break
					}
				}
				p.want(')')
			}
			list = append(list, a)
			if !p.got(',') {
				break
			}
		}
		p.want(')')
	}
	return list
}
