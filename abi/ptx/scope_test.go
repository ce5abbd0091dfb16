package ptx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A name means what the innermost declaration says: a register or the address of something.
func TestScopes(t *testing.T) {
	m := parse(t, head+`
.global .u32 a, %g;
.entry k(.param .u32 p) {
	op a;
	{
		.reg .b32 a, x<3>, x1<30>;
		op a; op x2; op x3; op x1; op x129; op x130; op x; op p; op %g;
		{ .local .u32 a; .reg .b32 %g; op a; op %g; }
		op a; op %g;
	}
	op a; op x2; op %g;
}
.func (.reg .b32 r) f(.reg .b32 a) { op r; op a; op p; }
.func g() { op r; op a; { .reg .b32 x<2>; { .reg .b32 x<1>; op x1; } op x1; } op x1; }
`)
	var got []string
	for _, f := range m.Functions() {
		for in := range f.Instructions() {
			kind := "symbol"
			if _, ok := in.Operands[0].(*ptx.Register); ok {
				kind = "register"
			}
			got = append(got, in.Operands[0].String()+" "+kind)
		}
	}
	assert.Equal(t, []string{
		"a symbol",
		"a register", "x2 register", "x3 symbol", "x1 register", "x129 register", "x130 symbol", "x symbol", "p symbol", "%g symbol",
		"a symbol", "%g register",
		"a register", "%g symbol",
		"a symbol", "x2 symbol", "%g symbol",
		"r register", "a register", "p symbol",
		"r symbol", "a symbol", "x1 symbol", "x1 register", "x1 symbol",
	}, got)
}
