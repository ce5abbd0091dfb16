package ptx

func (w *writer) function(f *Function) {
	w.linkage(f.Linkage)
	if f.Entry {
		w.s(".entry ")
	} else {
		w.s(".func ")
	}
	w.attributes(f.Attributes)
	if len(f.Return) > 0 {
		w.params(f.Return, false)
		w.s(" ")
	}
	w.s(f.Name)
	w.params(f.Params, true)
	w.directives(f.Directives)
	if f.Body == nil {
		w.s(";\n")
		return
	}
	w.s("\n")
	w.block(f.Body)
}

func (w *writer) params(list []Param, lines bool) {
	w.s("(")
	for i := range list {
		if i > 0 {
			w.s(",")
		}
		if lines {
			w.s("\n\t")
		} else if i > 0 {
			w.s(" ")
		}
		w.param(&list[i])
	}
	if lines && len(list) > 0 {
		w.s("\n")
	}
	w.s(")")
}

func (w *writer) param(a *Param) {
	w.s(".").s(string(a.Space)).s(" ")
	w.shape(a.Alignment, a.Vector, a.Type)
	if a.Pointer != nil {
		w.s(".ptr ")
		if a.Pointer.Space != "" {
			w.s(".").s(string(a.Pointer.Space)).s(" ")
		}
		if a.Pointer.Align != 0 {
			w.s(".align ").int(int64(a.Pointer.Align)).s(" ")
		}
	}
	w.s(a.Name)
	w.dims(a.Dims)
}

func (w *writer) directives(list []Directive) {
	for _, d := range list {
		w.s("\n")
		if d.Name == "pragma" {
			w.pragma(d.Strings)
			w.b = w.b[:len(w.b)-1]
			continue
		}
		w.s(".").s(d.Name)
		for i, n := range d.Args {
			if i > 0 {
				w.s(",")
			}
			w.s(" ").int(n)
		}
	}
}

func (w *writer) block(b *Block) {
	w.tabs().s("{\n")
	w.indent++
	for _, s := range b.Statements {
		w.statement(s)
	}
	w.indent--
	w.tabs().s("}\n")
}

func (w *writer) statement(s Statement) {
	switch s := s.(type) {
	case *Instruction:
		w.tabs().instruction(s).s("\n")
	case *Label:
		w.s(s.Name).s(":\n")
	case *Variable:
		w.variable(s)
	case *Block:
		w.block(s)
	case *Loc:
		w.loc(s)
	case *Pragma:
		w.pragma(s.Strings)
	case *BranchTargets:
		w.s(s.Name).s(": .branchtargets ").names(s.Labels).s(";\n")
	case *CallTargets:
		w.s(s.Name).s(": .calltargets ").names(s.Functions).s(";\n")
	case *CallPrototype:
		w.s(s.Name).s(": .callprototype ")
		if len(s.Return) > 0 {
			w.params(s.Return, false)
			w.s(" ")
		}
		w.s("_ ")
		w.params(s.Params, false)
		w.directives(s.Directives)
		w.s(";\n")
	}
}

func (w *writer) names(list []string) *writer {
	for i, n := range list {
		if i > 0 {
			w.s(", ")
		}
		w.s(n)
	}
	return w
}

func (w *writer) loc(l *Loc) {
	w.tabs().s(".loc ").int(l.File).s(" ").int(l.Source).s(" ").int(l.Column)
	if in := l.Inlined; in != nil {
		w.s(", function_name ").s(in.Function)
		if in.FunctionOffset != 0 {
			w.s("+").int(in.FunctionOffset)
		}
		w.s(", inlined_at ").int(in.File).s(" ").int(in.Source).s(" ").int(in.Column)
	}
	w.s("\n")
}

func (w *writer) instruction(in *Instruction) *writer {
	if in.Pred != nil {
		w.s("@")
		if in.Pred.Negated {
			w.s("!")
		}
		w.s(in.Pred.Reg).s(" ")
	}
	w.s(in.Opcode)
	for _, m := range in.Modifiers {
		w.s(".").s(m)
	}
	if len(in.Operands) > 0 {
		w.s(" ").operands(in.Operands, ", ")
	}
	return w.s(";")
}
