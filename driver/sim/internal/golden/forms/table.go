package forms

import (
	"strings"

	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// table adds the forms of the engine's table.
func table(l *list) {
	for _, f := range engine.Forms() {
		operands := make([]string, len(f.Kinds)-1)
		for i := range operands {
			operands[i] = "%" + inNames[i:i+1]
		}
		body := f.Name + " %d, " + strings.Join(operands, ", ") + ";"
		if to, from := f.Kinds[0], f.Kinds[1]; from == "bf16" && (to == "u8" || to == "s8") { // which takes no wider registers
			body = "{\n.reg .b8 %byte;\n" + f.Name + " %byte, %a;\ncvt.u32.u8 %d, %byte;\n}"
		} else if to == "bf16" && (from == "u8" || from == "s8") {
			body = "{\n.reg .b8 %byte;\ncvt.u8.u32 %byte, %a;\n" + f.Name + " %d, %byte;\n}"
		}
		c := l.add(family(f), f.Name, body, strings.Join(f.Kinds[1:], " "), f.Kinds[0])
		if !Approximate(f.Name) {
			continue
		}
		c.Count = 4096
		if len(c.In) == 1 && kindOf(c.In[0]).size == 2 {
			c.Count = 1 << 16
		}
	}
}

// Approximate reports whether a form's result is not laid down to the last bit.
//
// Safe for concurrent use.
func Approximate(form string) bool {
	return strings.Contains(form, ".approx") || strings.Contains(form, ".full")
}

// family is where the answers of a form of the table are kept.
func family(f engine.Form) string {
	opcode, _, _ := strings.Cut(f.Name, ".")
	kind := f.Kinds[len(f.Kinds)-1]
	switch {
	case Approximate(f.Name):
		return "approx"
	case opcode == "cvt":
		from, to := kindOf(f.Kinds[1]).float != nil, kindOf(f.Kinds[0]).float != nil
		switch {
		case from && to:
			return "cvt-float"
		case from:
			return "cvt-float-integer"
		case to:
			return "cvt-integer-float"
		}
		return "cvt-integer"
	case opcode == "setp" || opcode == "selp" || opcode == "slct" || opcode == "testp":
		return "compare"
	case opcode == "and" || opcode == "or" || opcode == "xor" || opcode == "not" || opcode == "cnot" || opcode == "shl" || opcode == "shr" || opcode == "shf" || opcode == "prmt":
		return "logic"
	case opcode == "mov":
		return "mov"
	}
	switch f := kindOf(kind).float; f {
	case single:
		return "f32"
	case double:
		return "f64"
	case half:
		return "f16"
	case brain:
		return "bf16"
	}
	return "integer"
}
