package mutate

import "github.com/purecuda/purecuda/abi/ptx"

// Tree changes a few things in a parsed module; other is a module to take instructions from. What comes out need not be anything that Parse gives:
// printed and parsed again it is, or is refused.
//
// Not safe for concurrent use: it changes m.
func Tree(c *Choices, m, other *ptx.Module) {
	from := gather(other)
	for range 1 + c.below(5) {
		g := gather(m)
		if len(g.instructions) == 0 {
			return
		}
		in := pick(c, g.instructions)
		giver := g
		if c.below(3) == 0 && len(from.instructions) > 0 {
			giver = from
		}
		switch c.below(12) {
		case 0: // what it does
			o := pick(c, giver.instructions)
			in.Opcode, in.Modifiers = o.Opcode, append([]string(nil), o.Modifiers...)
		case 1: // on what
			in.Operands = append([]ptx.Operand(nil), pick(c, giver.instructions).Operands...)
		case 2, 3, 4: // one operand
			if len(in.Operands) > 0 {
				in.Operands[c.below(len(in.Operands))] = operand(c, g, in)
			}
		case 5:
			if len(in.Modifiers) > 0 {
				in.Modifiers[c.below(len(in.Modifiers))] = modifier(c, giver)
			}
		case 6:
			i := c.below(len(in.Modifiers) + 1)
			in.Modifiers = append(in.Modifiers[:i:i], append([]string{modifier(c, giver)}, in.Modifiers[i:]...)...)
		case 7:
			if n := len(in.Operands); n > 0 {
				in.Operands = in.Operands[:n-1]
			}
		case 8:
			in.Operands = append(in.Operands[:len(in.Operands):len(in.Operands)], operand(c, g, in))
		case 9:
			statements(c, g)
		case 10:
			guard(c, g, in)
		default:
			variable(c, g)
		}
	}
}

// A gathering is what a module has.
type gathering struct {
	instructions []*ptx.Instruction
	blocks       []*ptx.Block
	variables    []*ptx.Variable
	params       []*ptx.Param
	labels       []string
}

func gather(m *ptx.Module) *gathering {
	g := &gathering{}
	var block func(b *ptx.Block)
	block = func(b *ptx.Block) {
		g.blocks = append(g.blocks, b)
		for _, s := range b.Statements {
			switch s := s.(type) {
			case *ptx.Block:
				block(s)
			case *ptx.Instruction:
				g.instructions = append(g.instructions, s)
			case *ptx.Variable:
				g.variables = append(g.variables, s)
			case *ptx.Label:
				g.labels = append(g.labels, s.Name)
			}
		}
	}
	for _, it := range m.Items {
		switch it := it.(type) {
		case *ptx.Variable:
			g.variables = append(g.variables, it)
		case *ptx.Function:
			for i := range it.Params {
				g.params = append(g.params, &it.Params[i])
			}
			if it.Body != nil {
				block(it.Body)
			}
		}
	}
	return g
}

func modifier(c *Choices, g *gathering) string {
	if c.below(2) == 0 {
		return pick(c, types)[1:]
	}
	if m := pick(c, g.instructions).Modifiers; len(m) > 0 {
		return pick(c, m)
	}
	return "u32"
}

// operand is one to put into an instruction: another's, or one made up.
func operand(c *Choices, g *gathering, in *ptx.Instruction) ptx.Operand {
	other := func() ptx.Operand {
		for range 8 {
			if o := pick(c, g.instructions).Operands; len(o) > 0 {
				return pick(c, o)
			}
		}
		return &ptx.Sink{}
	}
	switch c.below(14) {
	case 0:
		return &ptx.Int{Value: pick(c, numbers)}
	case 1:
		return &ptx.Float{Bits: uint64(pick(c, numbers)), Single: c.below(2) == 0}
	case 2:
		return &ptx.Sink{}
	case 3:
		return &ptx.Vector{Elems: []ptx.Operand{other(), other()}}
	case 4:
		return &ptx.Address{Base: other(), Offset: pick(c, numbers)}
	case 5:
		return &ptx.Pair{First: other(), Second: other()}
	case 6:
		return &ptx.Not{X: other()}
	case 7:
		return &ptx.Neg{X: other()}
	case 8:
		return &ptx.Special{Name: pick(c, []string{"%tid", "%ntid", "%clock", "%laneid", "%nothing"}), Component: pick(c, []string{"", "x", "w"})}
	case 9:
		if len(g.variables) > 0 {
			return &ptx.Symbol{Name: pick(c, g.variables).Name, Offset: pick(c, numbers)}
		}
	case 10:
		if len(g.labels) > 0 {
			return &ptx.Symbol{Name: pick(c, g.labels)}
		}
	case 11:
		return &ptx.List{Elems: []ptx.Operand{other()}}
	}
	return other()
}

// statements drops, doubles, moves or swaps statements.
func statements(c *Choices, g *gathering) {
	b, other := pick(c, g.blocks), pick(c, g.blocks)
	if len(b.Statements) == 0 || len(other.Statements) == 0 {
		return
	}
	i, s := c.below(len(b.Statements)), pick(c, other.Statements)
	switch c.below(3) {
	case 0:
		b.Statements = append(b.Statements[:i:i], b.Statements[i+1:]...)
	case 1:
		if inner, ok := s.(*ptx.Block); ok && (inner == b || len(inner.Statements) > 8) {
			return // which would have itself in it
		}
		b.Statements = append(b.Statements[:i:i], append([]ptx.Statement{s}, b.Statements[i:]...)...)
	default:
		j := c.below(len(b.Statements))
		b.Statements[i], b.Statements[j] = b.Statements[j], b.Statements[i]
	}
}

func guard(c *Choices, g *gathering, in *ptx.Instruction) {
	if in.Pred != nil && c.below(2) == 0 {
		in.Pred = nil
		return
	}
	for range 8 {
		if p := pick(c, g.instructions).Pred; p != nil {
			in.Pred = &ptx.Predicate{Reg: p.Reg, Negated: c.below(2) == 0}
			return
		}
	}
}

// variable changes the type, the place or the size of a variable or of a parameter.
func variable(c *Choices, g *gathering) {
	if len(g.params) > 0 && c.below(3) == 0 {
		p := pick(c, g.params)
		switch c.below(3) {
		case 0:
			p.Type = ptx.Type(pick(c, types[:18])[1:])
		case 1:
			p.Dims = []int64{pick(c, numbers)}
		default:
			p.Alignment = int(pick(c, numbers[:24]))
		}
		return
	}
	if len(g.variables) == 0 {
		return
	}
	v := pick(c, g.variables)
	switch c.below(6) {
	case 0:
		v.Type = ptx.Type(pick(c, types[:18])[1:])
	case 1:
		v.Space = ptx.Space(pick(c, []string{"global", "shared", "local", "const", "param", "reg"}))
	case 2:
		v.Dims = []int64{pick(c, numbers)}
	case 3:
		v.Alignment = int(pick(c, numbers[:24]))
	case 4:
		v.Count = int(pick(c, numbers[:24]))
	default:
		v.Vector = int(pick(c, []int64{0, 2, 4, 8}))
	}
}
