package ptx_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/purecuda/purecuda/abi/ptx"
)

func TestVariableSize(t *testing.T) {
	for text, want := range map[string][2]int64{ // size, alignment
		".global .u32 x":                       {4, 4},
		".global .align 16 .b8 x[3][5]":        {15, 16},
		".global .v4 .f32 x[2]":                {32, 16},
		".global .v2 .b8 x":                    {2, 2},
		".extern .shared .align 8 .b8 x[]":     {0, 8},
		".global .b8 x[1099511627776]":         {1 << 40, 1},
		".global .b64 x[0]":                    {0, 8},
		".global .texref x":                    {8, 8},
		".global .u16 x[][2]":                  {0, 2},
		".global .b8 x[281474976710656]":       {ptx.MaxBytes, 1},
		".global .attribute(.managed) .u8 x":   {1, 1},
		".const .align 4 .b8 x[8] = {1, 2, 3}": {8, 4},
	} {
		v := parse(t, head+text+";").Variable("x")
		assert.Equal(t, want, [2]int64{v.Size(), int64(v.Align())}, text)
	}
}

func TestRegisterRange(t *testing.T) {
	body := parse(t, head+".entry k() { .reg .b64 %rd<4>; .reg .pred p; .reg .f32 z<0>; }").Entry("k").Body
	v := body.Statements[0].(*ptx.Variable)
	assert.Equal(t, []string{"%rd0", "%rd1", "%rd2", "%rd3"}, slices.Collect(v.Names))
	assert.Equal(t, int64(32), v.Size())
	for name := range v.Names {
		assert.Equal(t, "%rd0", name)
		break
	}
	assert.Equal(t, []string{"p"}, slices.Collect(body.Statements[1].(*ptx.Variable).Names))
	assert.Empty(t, slices.Collect(body.Statements[2].(*ptx.Variable).Names))
}

func TestInitializers(t *testing.T) {
	m := parse(t, find(t, "nvrtc-12.4-compute_80", "33_constant_globals.ptx"))
	coef := m.Variable("coef")
	assert.Equal(t, ptx.SpaceConst, coef.Space)
	assert.Equal(t, int64(64), coef.Size())
	gi := m.Variable("gi")
	assert.Equal(t, int64(42), gi.Init.(*ptx.Int).Value)
	ptr := m.Variable("ptr").Init.(*ptx.Generic)
	assert.Equal(t, "gi", ptr.Name)
	assert.Equal(t, []ptx.Attribute{{Name: "managed"}}, m.Variable("mg").Attributes)

	v := parse(t, head+".global .u64 x[6] = {f, generic(a)+8, 0xff(b+4), -1, 0d4000000000000000, {1U}};").Variable("x").Init.(*ptx.Vector)
	assert.Equal(t, []ptx.Operand{
		&ptx.Symbol{Name: "f"},
		&ptx.Generic{Name: "a", Offset: 8},
		&ptx.Mask{Mask: &ptx.Int{Text: "0xff", Value: 255}, X: &ptx.Symbol{Name: "b", Offset: 4}},
		&ptx.Int{Text: "-1", Value: -1},
		&ptx.Float{Text: "0d4000000000000000", Bits: 0x4000000000000000},
		&ptx.Vector{Elems: []ptx.Operand{&ptx.Int{Text: "1U", Value: 1}}},
	}, v.Elems)
}
