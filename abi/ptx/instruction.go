package ptx

import "strings"

// An Instruction is one instruction with its guard, modifiers and operands. See the PTX ISA manual, "Instruction Set".
// Safe for concurrent use after it is made; its fields must not change.
type Instruction struct {
	Pred      *Predicate // nil where it always runs
	Opcode    string     // "ld"
	Modifiers []string   // "global", "v4", "f32"; without their dots
	Operands  []Operand
	Line      int
}

// A Predicate guards an instruction: "@%p1" or "@!%p1".
// Safe for concurrent use after it is made; its fields must not change.
type Predicate struct {
	Reg     string
	Negated bool
}

// Pos returns Line.
func (in *Instruction) Pos() int { return in.Line }

// Form returns opcode and modifiers as written: "ld.global.v4.f32".
func (in *Instruction) Form() string {
	if len(in.Modifiers) == 0 {
		return in.Opcode
	}
	var b strings.Builder
	b.WriteString(in.Opcode)
	for _, m := range in.Modifiers {
		b.WriteByte('.')
		b.WriteString(m)
	}
	return b.String()
}

// Has reports whether m, written without its dot, is among the modifiers.
func (in *Instruction) Has(m string) bool {
	for _, have := range in.Modifiers {
		if have == m {
			return true
		}
	}
	return false
}

// A Call is the parts of a call instruction.
// Safe for concurrent use after it is made; its fields must not change.
type Call struct {
	Return    []Operand // symbols or registers
	Target    Operand   // a [*Symbol], or for an indirect call a [*Register]
	Args      []Operand
	Prototype string // of an indirect call: the name of a [*CallPrototype] or [*CallTargets]; else ""
}

// Call returns the parts of a call. It returns false for any other instruction and for a call without target.
func (in *Instruction) Call() (Call, bool) {
	var c Call
	if in.Opcode != "call" {
		return c, false
	}
	rest := in.Operands
	if len(rest) > 1 {
		if l, ok := rest[0].(*List); ok {
			c.Return, rest = l.Elems, rest[1:]
		}
	}
	if len(rest) == 0 {
		return c, false
	}
	switch rest[0].(type) {
	case *Symbol, *Register:
		c.Target, rest = rest[0], rest[1:]
	default:
		return c, false
	}
	if len(rest) > 0 {
		if l, ok := rest[0].(*List); ok {
			c.Args, rest = l.Elems, rest[1:]
		}
	}
	if len(rest) > 0 {
		if s, ok := rest[0].(*Symbol); ok {
			c.Prototype = s.Name
		}
	}
	return c, true
}
