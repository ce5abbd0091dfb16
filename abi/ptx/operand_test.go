package ptx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// operands returns what the one instruction of a body with that text works on.
func operands(t *testing.T, text string) []ptx.Operand {
	t.Helper()
	for in := range parse(t, head+".global .u32 %glob; .entry k(.param .u32 p) { .reg .b32 r<12>, bare; .reg .v4 .f32 v; "+text+" }").Entry("k").Instructions() {
		return in.Operands
	}
	require.Fail(t, "no instruction")
	return nil
}

func TestOperandTypes(t *testing.T) {
	reg := func(name string) *ptx.Register { return &ptx.Register{Name: name} }
	for text, want := range map[string]ptx.Operand{
		"%r1":                  reg("%r1"),
		"bare":                 reg("bare"),
		"r11":                  reg("r11"),
		"r12":                  &ptx.Symbol{Name: "r12"},
		"%glob":                &ptx.Symbol{Name: "%glob"},
		"p":                    &ptx.Symbol{Name: "p"},
		"v.x":                  &ptx.Register{Name: "v", Component: "x"},
		"%r1 .h1":              &ptx.Register{Name: "%r1", Component: "h1"},
		"%tid.x":               &ptx.Special{Name: "%tid", Component: "x"},
		"%clock64":             &ptx.Special{Name: "%clock64"},
		"%envreg3":             &ptx.Special{Name: "%envreg3"},
		"%envreg32":            reg("%envreg32"),
		"%envreg03":            reg("%envreg03"),
		"%tidx":                reg("%tidx"),
		"WARP_SZ":              &ptx.Special{Name: "WARP_SZ"},
		"_":                    &ptx.Sink{},
		"12":                   &ptx.Int{Text: "12", Value: 12},
		"-12":                  &ptx.Int{Text: "-12", Value: -12},
		"- 12":                 &ptx.Int{Text: "-12", Value: -12},
		"-/**/0x10":            &ptx.Int{Text: "-0x10", Value: -16},
		"0777":                 &ptx.Int{Text: "0777", Value: 511},
		"0b101U":               &ptx.Int{Text: "0b101U", Value: 5},
		"0xFFFFFFFFFFFFFFFF":   &ptx.Int{Text: "0xFFFFFFFFFFFFFFFF", Value: -1},
		"-9223372036854775808": &ptx.Int{Text: "-9223372036854775808", Value: -1 << 63},
		"1<<4":                 &ptx.Int{Text: "16", Value: 16},
		"~0":                   &ptx.Int{Text: "18446744073709551615", Value: -1},
		"!3":                   &ptx.Int{Text: "0", Value: 0},
		"0f3F800000":           &ptx.Float{Text: "0f3F800000", Bits: 0x3F800000, Single: true},
		"0D3FF0000000000000":   &ptx.Float{Text: "0D3FF0000000000000", Bits: 0x3FF0000000000000},
		"-1.5":                 &ptx.Float{Text: "-1.5", Bits: 0xBFF8000000000000},
		".5":                   &ptx.Float{Text: "0.5", Bits: 0x3FE0000000000000},
		"1.5+2.5":              &ptx.Float{Text: "0d4010000000000000", Bits: 0x4010000000000000},
		"1e999":                &ptx.Float{Text: "1e999", Bits: 0x7FF0000000000000},
		"!%p1":                 &ptx.Not{X: reg("%p1")},
		"-%r2":                 &ptx.Neg{X: reg("%r2")},
		"%r1|%p1":              &ptx.Pair{First: reg("%r1"), Second: reg("%p1")},
		"_|%p1":                &ptx.Pair{First: &ptx.Sink{}, Second: reg("%p1")},
		"{%r1,%r2}|%p1":        &ptx.Pair{First: &ptx.Vector{Elems: []ptx.Operand{reg("%r1"), reg("%r2")}}, Second: reg("%p1")},
		"{%r1, _, 3}":          &ptx.Vector{Elems: []ptx.Operand{reg("%r1"), &ptx.Sink{}, &ptx.Int{Text: "3", Value: 3}}},
		"p+8":                  &ptx.Symbol{Name: "p", Offset: 8},
		"p[2]":                 &ptx.Element{Name: "p", Index: 2},
		"[%r1]":                &ptx.Address{Base: reg("%r1")},
		"[%r1+0]":              &ptx.Address{Base: reg("%r1"), Written: true},
		"[r2+-8]":              &ptx.Address{Base: reg("r2"), Offset: -8, Written: true},
		"[p+4]":                &ptx.Address{Base: &ptx.Symbol{Name: "p"}, Offset: 4, Written: true},
		"[p[1]]":               &ptx.Address{Base: &ptx.Element{Name: "p", Index: 1}},
		"[0x40]":               &ptx.Address{Base: &ptx.Int{Text: "0x40", Value: 64}},
		"[p, {%r1}]":           &ptx.Address{Base: &ptx.Symbol{Name: "p"}, Coords: []ptx.Operand{&ptx.Vector{Elems: []ptx.Operand{reg("%r1")}}}},
		"[p, s, {%r1}]":        &ptx.Address{Base: &ptx.Symbol{Name: "p"}, Coords: []ptx.Operand{&ptx.Symbol{Name: "s"}, &ptx.Vector{Elems: []ptx.Operand{reg("%r1")}}}},
	} {
		t.Run(text, func(t *testing.T) {
			got := operands(t, "op.x _, "+text+";")
			require.Len(t, got, 2)
			assert.Equal(t, want, got[1])
			again := operands(t, "op.x "+got[1].String()+";")
			assert.Equal(t, want, again[0])
		})
	}
}

// An operand that a caller makes prints without a spelling of its own.
func TestMadeOperands(t *testing.T) {
	for want, x := range map[string]ptx.Operand{
		"-7":                 &ptx.Int{Value: -7},
		"0f3F800000":         &ptx.Float{Bits: 0x3f800000, Single: true},
		"0d000000000000ABCD": &ptx.Float{Bits: 0xabcd},
		"[%r1+4]":            &ptx.Address{Base: &ptx.Register{Name: "%r1"}, Offset: 4},
		"(a, b)":             &ptx.List{Elems: []ptx.Operand{&ptx.Symbol{Name: "a"}, &ptx.Symbol{Name: "b"}}},
		"a-b":                &ptx.Difference{X: "a", Y: "b"},
		"a = wrap":           &ptx.Field{Name: "a", Value: &ptx.Symbol{Name: "wrap"}},
	} {
		assert.Equal(t, want, x.String())
	}
	in := &ptx.Instruction{Pred: &ptx.Predicate{Reg: "%p1", Negated: true}, Opcode: "ld", Modifiers: []string{"global", "u32"},
		Operands: []ptx.Operand{&ptx.Register{Name: "%r1"}, &ptx.Address{Base: &ptx.Register{Name: "%rd1"}}}}
	assert.Equal(t, "@!%p1 ld.global.u32 %r1, [%rd1];", in.String())
	assert.Equal(t, "ld.global.u32", in.Form())
	assert.True(t, in.Has("global"))
	assert.False(t, in.Has("shared"))
}

func TestFloat64(t *testing.T) {
	assert.Equal(t, 1.0, operands(t, "op 0f3F800000;")[0].(*ptx.Float).Float64())
	assert.Equal(t, -2.5, operands(t, "op -2.5;")[0].(*ptx.Float).Float64())
}

func TestBranchTargetIsALabel(t *testing.T) {
	assert.Equal(t, []ptx.Operand{&ptx.Symbol{Name: "%L"}}, operands(t, "%L: bra %L;"))
	assert.Equal(t, []ptx.Operand{&ptx.Symbol{Name: "bare"}}, operands(t, "bra.uni bare;"))
}

func TestCall(t *testing.T) {
	one := func(text string) (ptx.Call, bool) {
		for in := range parse(t, head+".entry k() { "+text+" }").Entry("k").Instructions() {
			return in.Call()
		}
		return ptx.Call{}, false
	}
	sym := func(name string) *ptx.Symbol { return &ptx.Symbol{Name: name} }
	for text, want := range map[string]ptx.Call{
		"call f;":                     {Target: sym("f")},
		"call f, (a, b);":             {Target: sym("f"), Args: []ptx.Operand{sym("a"), sym("b")}},
		"call.uni (r), f, (a);":       {Target: sym("f"), Return: []ptx.Operand{sym("r")}, Args: []ptx.Operand{sym("a")}},
		"call (r), %rd1, (a), proto;": {Target: &ptx.Register{Name: "%rd1"}, Return: []ptx.Operand{sym("r")}, Args: []ptx.Operand{sym("a")}, Prototype: "proto"},
		"call %rd1, proto;":           {Target: &ptx.Register{Name: "%rd1"}, Prototype: "proto"},
	} {
		got, ok := one(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"call (r);", "call 3;", "ret;", "call (r), (a);"} {
		_, ok := one(text)
		assert.False(t, ok, text)
	}
}
