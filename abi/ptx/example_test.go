package ptx_test

import (
	"fmt"

	"github.com/purecuda/purecuda/abi/ptx"
)

const axpy = `
.version 8.4
.target sm_90
.address_size 64

.visible .entry axpy(
	.param .u64 axpy_param_0,
	.param .align 8 .b8 axpy_param_1[24],
	.param .f32 axpy_param_2
)
.maxntid 256, 1, 1
{
	.reg .pred %p<2>;
	.reg .b32  %r<3>;

	mov.u32 %r1, %tid.x;
	setp.ge.s32 %p1, %r1, 100;
	@%p1 bra $L__BB0_2;
	add.s32 %r2, %r1, 1;
$L__BB0_2:
	ret;
}
`

func ExampleParse() {
	m, err := ptx.Parse(axpy)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Target.Arch, m.Version.Major, m.Version.Minor)
	k := m.Entry("axpy")
	for _, p := range k.Params {
		fmt.Println(p.Name, p.Type, p.Offset, p.Size(), p.Align())
	}
	for in := range k.Instructions() {
		fmt.Println(in.Line, in.Form(), in.Operands)
	}
	// Output:
	// sm_90 8 4
	// axpy_param_0 u64 0 8 8
	// axpy_param_1 b8 8 24 8
	// axpy_param_2 f32 32 4 4
	// 16 mov.u32 [%r1 %tid.x]
	// 17 setp.ge.s32 [%p1 %r1 100]
	// 18 bra [$L__BB0_2]
	// 19 add.s32 [%r2 %r1 1]
	// 21 ret []
}
