package ptx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// Texts that define something twice, from line 4 on, and what Parse says of them.
var definedTwice = []struct{ name, text, want string }{
	{"kernels", ".entry k() { ret; }\n.entry k() { ret; }", `line 5:8: "k" is defined on line 4 already`},
	{"kernel and function", ".entry k() { ret; }\n\n.visible .func k() { ret; }", `line 6:16: "k" is defined on line 4 already`},
	{"weak functions", ".weak .func k() { ret; }\n.weak .func k() { ret; }", `line 5:13: "k" is defined on line 4 already`},
	{"functions, declared too", ".func k();\n.func k() { ret; }\n.func k() { ret; }", `line 6:7: "k" is defined on line 5 already`},
	{"function and variable", ".func k() { ret; }\n.global .u32 k;", `line 5:14: "k" is a variable and a function: the other is on line 4`},
	{"variable and declared function", ".extern .global .u32 k;\n.func k();", `line 5:7: "k" is a variable and a function: the other is on line 4`},
	{"alias of a defined function", ".visible .func k() { ret; }\n.visible .func g() { ret; }\n.alias k, g;", `line 6:8: "k" is defined on line 4 already`},
	{"variables", ".global .u32 v;\n.global .u32 v;", `line 5:14: "v" is defined on line 4 already`},
	{"variables of one line", ".global .u32 v, v;", `line 4:17: "v" is defined on line 4 already`},
	{"variables of two spaces, far apart", ".weak .global .u32 v;\n.entry k() { ret; }\n.extern .const .u32 v;\n.const .u32 v;", `line 7:13: "v" is defined on line 4 already`},
	{"labels", ".entry k() {\nL: ret;\nL: ret;\n}", `line 6:1: "L" is defined on line 5 already`},
	{"labels with a block between", ".entry k() {\nL: ret;\n{ L: ret; }\nL: ret;\n}", `line 7:1: "L" is defined on line 5 already`},
	{"label and targets", ".entry k() {\nL: .branchtargets M;\nM: ret;\nL: ret;\n}", `line 7:1: "L" is defined on line 5 already`},
	{"prototypes", ".entry k() {\nL: .callprototype _ ();\nL: .callprototype _ ();\nret;\n}", `line 6:1: "L" is defined on line 5 already`},
	{"label and register", ".entry k() {\n.reg .b32 L;\nL: ret;\n}", `line 6:1: "L" is defined on line 5 already`},
	{"label and parameter", ".entry k(.param .b32 L) {\nL: ret;\n}", `line 5:1: "L" is defined on line 4 already`},
	{"registers", ".entry k() {\n.reg .pred r;\n.reg .b32 r;\nret;\n}", `line 6:11: "r" is defined on line 5 already`},
	{"registers of an inner block", ".entry k() {\n.reg .b32 r;\n{\n.reg .b32 r, r;\n}\nret;\n}", `line 7:14: "r" is defined on line 7 already`},
	{"register and shared variable", ".entry k() {\n.reg .b32 r;\n.shared .b32 r;\nret;\n}", `line 6:14: "r" is defined on line 5 already`},
	{"parameters", ".entry k(.param .b32 r,\n.param .b32 r) {\nret;\n}", `line 5:13: "r" is defined on line 4 already`},
	{"parameter and result", ".func (.reg .b32 r) k(.reg .b32 q, .reg .b32 r) {\nret;\n}", `line 4:46: "r" is defined on line 4 already`},
	{"parameter and register", ".entry k(.param .b32 r) {\n.reg .b32 r;\nret;\n}", `line 5:11: "r" is defined on line 4 already`},
	{"ranges", ".entry k() {\n.reg .b32 %r<3>;\n.reg .b64 %r<5>;\nret;\n}", `line 6:11: "%r" is defined on line 5 already`},
	{"a register of a range", ".entry k() {\n.reg .b32 %r<3>;\n.reg .b32 %r2;\nret;\n}", `line 6:11: "%r2" is also one of the registers %r<3> of line 5`},
	{"a register before its range", ".entry k() {\n.reg .b32 r12;\n.reg .b32 r<13>;\nret;\n}", `line 5:11: "r12" is also one of the registers r<13> of line 6`},
	{"a parameter in a range", ".entry k(.param .b32 r1) {\n.reg .b32 r<3>;\nret;\n}", `line 4:22: "r1" is also one of the registers r<3> of line 5`},
}

// Texts in which a name stands more than once and that are right.
var definedOnce = []struct{ name, text string }{
	{"declared, then defined", ".func k();\n.func k();\n.func k() { ret; }\n.entry e();\n.entry e() { ret; }"},
	{"extern variables", ".extern .global .u32 v;\n.visible .global .u32 v;\n.extern .global .u32 v;\n.extern .shared .b8 s[];\n.extern .shared .b8 s[];"},
	{"alias", ".visible .func k();\n.visible .func g() { ret; }\n.alias k, g;\n.visible .func k();"},
	{"scopes", ".global .u32 a;\n.entry k() {\n.reg .b32 a, r<3>;\n{ .reg .b32 a, r<3>, r3; b: ret; }\n}"},
	{"labels of other scopes", ".entry k() {\n{ L: ret; }\n{ L: bra L; }\nL: ret;\n}\n.entry j() {\nL: ret;\n}"},
	{"label named as a global thing", ".global .u32 L;\n.entry k() {\nL: ret;\nk: ret;\n}"},
	{"beside a range", ".entry k() {\n.reg .b32 r0, r<3>, r, r3, s<20>, s1<4>, t1<4>, t12;\nr1: ret;\n}"},
	{"variables of two functions", ".entry k() {\n.shared .b32 s;\nret;\n}\n.entry j() {\n.shared .b32 s;\nret;\n}"},
	{"parameters of a declaration", ".func k(.param .b32 r, .param .b32 r);\n.func k(.param .b32 r, .param .b32 q) { ret; }"},
	{"parameters of a call", ".func f(.param .b32 a) { ret; }\n.entry k() {\n{ .param .b32 p; call f, (p); }\n{ .param .b32 p; call f, (p); }\nP: .callprototype _ (.param .b32 _, .param .b32 _);\nret;\n}"},
}

func TestDefinedTwice(t *testing.T) {
	for _, c := range definedTwice {
		_, err := ptx.Parse(head + c.text)
		assert.EqualError(t, err, "ptx: parse: "+c.want, c.name)
	}
	for _, c := range definedOnce {
		_, err := ptx.Parse(head + c.text)
		assert.NoError(t, err, c.name)
		roundTrip(t, head+c.text)
	}
}

// ptxas draws the same line.
func TestPtxasRefusesWhatIsDefinedTwice(t *testing.T) {
	tool := ptxas(t)
	for _, c := range definedTwice {
		cubin, _ := assemble(t, tool, head+c.text, "sm_90a")
		assert.Nil(t, cubin, c.name)
	}
	for _, c := range definedOnce {
		cubin, why := assemble(t, tool, head+c.text, "sm_90a")
		require.NotNil(t, cubin, "%s: %s", c.name, why)
	}
}
