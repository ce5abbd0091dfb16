package engine

import "github.com/purecuda/purecuda/abi/ptx"

// NVRTC writes a register once, and copies much: parameters, special registers and addresses go into registers of their own before they
// are used. Such a copy needs no operation: its name is made another one for the register copied. A register is taken for written
// once if its name stands first among the operands of one instruction only, and is declared once. Where the detectors or counters are to see each
// instruction, nothing is left out.

// writesOf counts for each register name the instructions that may write it.
func writesOf(b *ptx.Block, n map[string]int) {
	declared := map[string]int{}
	var block func(b *ptx.Block)
	block = func(b *ptx.Block) {
		for _, st := range b.Statements {
			switch st := st.(type) {
			case *ptx.Block:
				block(st)
			case *ptx.Variable:
				if st.Space == ptx.SpaceReg {
					if declared[st.Name]++; declared[st.Name] > 1 || st.Vector > 0 {
						n[""]++ // names mean different things in different places
					}
				}
			case *ptx.Instruction:
				if len(st.Operands) > 0 {
					registers(st.Operands[0], func(name string) { n[name]++ })
				}
			}
		}
	}
	block(b)
}

// registers calls f for each register of an operand that takes results.
func registers(x ptx.Operand, f func(string)) {
	switch x := x.(type) {
	case *ptx.Register:
		f(x.Name)
	case *ptx.Pair:
		registers(x.First, f)
		registers(x.Second, f)
	case *ptx.Vector:
		for _, e := range x.Elems {
			registers(e, f)
		}
	case *ptx.List:
		for _, e := range x.Elems {
			registers(e, f)
		}
	}
}

// once reports whether an operand is a register that is written once.
func (d *decoder) once(x ptx.Operand) bool {
	r, ok := x.(*ptx.Register)
	return ok && r.Component == "" && d.writes[""] == 0 && d.writes[r.Name] == 1
}

// alias makes the instruction's destination another name of from, if that is sound, and reports whether it did.
func (d *decoder) alias(dst, src ptx.Operand, from reg) bool {
	if !d.aliasing || d.in.Pred != nil || !d.once(dst) {
		return false
	}
	if _, isReg := src.(*ptx.Register); isReg && !d.once(src) {
		return false
	}
	name := dst.(*ptx.Register).Name
	for i := len(d.scopes) - 1; i >= 0; i-- {
		s := d.scopes[i]
		if _, used := s.regs[name]; used {
			return false // it has a place already
		}
		for _, v := range s.ranges {
			if inRange(v, name) {
				if bankOf(v.Type) != from.bank || 8*v.Type.Bytes() != from.bits {
					return false
				}
				s.regs[name] = from
				return true
			}
		}
	}
	return false
}
