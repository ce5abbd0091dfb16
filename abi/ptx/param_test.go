package ptx_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

func TestParamLayout(t *testing.T) {
	for _, c := range []struct {
		params string
		want   string // offset:size:align of each, then the size of all
	}{
		{"", "0"},
		{".param .u8 a", "0:1:1 1"},
		{".param .u8 a, .param .u64 b, .param .u16 c, .param .f32 d", "0:1:1 8:8:8 16:2:2 20:4:4 24"},
		{".param .align 8 .b8 a[24], .param .u32 b", "0:24:8 24:4:4 28"},
		{".param .b8 a[3], .param .u16 b, .param .b8 c", "0:3:1 4:2:2 6:1:1 7"},
		{".param .align 1 .b8 empty[1], .param .u64 b", "0:1:1 8:8:8 16"},
		{".param .b8 none[0], .param .u64 b", "0:0:1 0:8:8 8"},
		{".param .u32 a, .param .align 64 .b8 map[128], .param .u8 c", "0:4:4 64:128:64 192:1:1 193"},
		{".param .u64 .ptr .global .align 4 p, .param .u64 .ptr q", "0:8:8 8:8:8 16"},
		{".param .align 16 .v4 .f32 v, .param .v2 .f64 w", "0:16:16 16:16:16 32"},
		{".param .align 4 .u64 a, .param .u8 b, .param .align 4 .u64 c", "0:8:4 8:1:1 12:8:4 20"},
		{".param .f16 h, .param .f16x2 i, .param .b128 j", "0:2:2 4:4:4 16:16:16 32"},
		{".param .u16 a[2][3], .param .u64 b", "0:12:2 16:8:8 24"},
	} {
		t.Run(c.params, func(t *testing.T) {
			k := parse(t, head+".entry k("+c.params+") {}").Entry("k")
			got := ""
			for i := range k.Params {
				p := &k.Params[i]
				got += fmt.Sprintf("%d:%d:%d ", p.Offset, p.Size(), p.Align())
			}
			assert.Equal(t, c.want, got+fmt.Sprint(k.ParamBytes()))
		})
	}
}

// struct E{}; struct P{char a; double b[2]; short c;}; struct __align__(32) A{int x;};
// lbk(E e, P p, A a, const float*, float*, bool, char, short, long long) __launch_bounds__(128, 4)
func TestParamsOfNVRTC(t *testing.T) {
	for _, archive := range []string{"nvrtc-11.2-compute_52", "nvrtc-11.8-compute_80", "nvrtc-12.4-compute_90a", "nvrtc-12.4-compute_80-G"} {
		k := parse(t, find(t, archive, "70_bounds.ptx")).Entry("lbk")
		require.NotNil(t, k, archive)
		var offsets, sizes []int64
		for i := range k.Params {
			offsets = append(offsets, k.Params[i].Offset)
			sizes = append(sizes, k.Params[i].Size())
		}
		assert.Equal(t, []int64{0, 8, 64, 96, 104, 112, 113, 114, 120}, offsets, archive)
		assert.Equal(t, []int64{1, 32, 32, 8, 8, 1, 1, 2, 8}, sizes, archive)
		assert.Equal(t, int64(128), k.ParamBytes())
		args, _ := k.Directive("maxntid")
		assert.Equal(t, []int64{128, 1, 1}, args)
		args, _ = k.Directive("minnctapersm")
		assert.Equal(t, []int64{4}, args)
	}
	k := parse(t, find(t, "nvrtc-12.4-compute_90a", "71_hopper_asm.ptx")).Entry("tma")
	assert.Equal(t, 64, k.Params[0].Align())
	_, ok := k.Directive("explicitcluster")
	assert.True(t, ok)
}

// Loads of a kernel's parameters in real PTX stay within the parameters as laid out.
func TestParamLoadsFit(t *testing.T) {
	loads := 0
	for _, s := range corpus(t) {
		for _, k := range parse(t, s.text).Entries() {
			params := map[string]*ptx.Param{}
			for i := range k.Params {
				params[k.Params[i].Name] = &k.Params[i]
			}
			for in := range k.Instructions() {
				if in.Opcode != "ld" || !in.Has("param") {
					continue
				}
				a := in.Operands[1].(*ptx.Address)
				base, ok := a.Base.(*ptx.Symbol)
				if !ok || params[base.Name] == nil {
					continue
				}
				size := int64(ptx.Type(in.Modifiers[len(in.Modifiers)-1]).Bytes())
				require.Positive(t, size, in)
				if v, ok := in.Operands[0].(*ptx.Vector); ok {
					size *= int64(len(v.Elems))
				}
				p := params[base.Name]
				assert.LessOrEqual(t, a.Offset+size, p.Size(), "%s: %s", s, in)
				assert.Zero(t, (p.Offset+a.Offset)%size, "%s: %s is not aligned", s, in)
				loads++
			}
		}
	}
	assert.Greater(t, loads, 2000)
}

func TestDeviceFunctionsHaveNoOffsets(t *testing.T) {
	f := parse(t, head+".func (.param .align 8 .b8 r[40]) f(.param .u64 a, .param .u64 b);").Function("f")
	assert.Zero(t, f.Params[1].Offset)
	assert.Zero(t, f.ParamBytes())
	assert.Equal(t, int64(40), f.Return[0].Size())
}
