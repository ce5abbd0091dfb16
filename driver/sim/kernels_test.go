package sim_test

// kernels are those that the tests run.
const kernels = `.version 7.0
.target sm_70
.address_size 64

.visible .global .align 4 .u32 counter = 5;
.visible .const .align 8 .b8 table[64];

// y[i] = a * x[i] + y[i], i < n
.visible .entry axpy(.param .u64 px, .param .u64 py, .param .f32 pa, .param .u32 pn)
{
	.reg .pred %p<2>;
	.reg .f32 %f<5>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [px];
	ld.param.u64 %rd2, [py];
	ld.param.f32 %f1, [pa];
	ld.param.u32 %r1, [pn];
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, %tid.x;
	mad.lo.s32 %r5, %r2, %r3, %r4;
	setp.ge.u32 %p1, %r5, %r1;
	@%p1 bra DONE;
	mul.wide.u32 %rd5, %r5, 4;
	add.s64 %rd6, %rd1, %rd5;
	ld.global.f32 %f2, [%rd6];
	add.s64 %rd7, %rd2, %rd5;
	ld.global.f32 %f3, [%rd7];
	fma.rn.f32 %f4, %f2, %f1, %f3;
	st.global.f32 [%rd7], %f4;
DONE:
	ret;
}

// *p = v
.visible .entry store(.param .u64 pp, .param .u32 pv)
{
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [pp];
	ld.param.u32 %r1, [pv];
	st.global.u32 [%rd1], %r1;
	ret;
}

// *p = *p * 10 + v
.visible .entry digit(.param .u64 pp, .param .u32 pv)
{
	.reg .b64 %rd<2>;
	.reg .b32 %r<4>;
	ld.param.u64 %rd1, [pp];
	ld.param.u32 %r1, [pv];
	ld.global.u32 %r2, [%rd1];
	mad.lo.u32 %r3, %r2, 10, %r1;
	st.global.u32 [%rd1], %r3;
	ret;
}

// waits until *p is v
.visible .entry await(.param .u64 pp, .param .u32 pv)
{
	.reg .b64 %rd<2>;
	.reg .b32 %r<3>;
	.reg .pred %p<2>;
	ld.param.u64 %rd1, [pp];
	ld.param.u32 %r1, [pv];
AGAIN:
	ld.volatile.global.u32 %r2, [%rd1];
	setp.ne.u32 %p1, %r1, %r2;
	@%p1 bra AGAIN;
	ret;
}

.visible .entry endless()
{
AGAIN:
	bra AGAIN;
}

.visible .entry trapped()
{
	trap;
	ret;
}

.visible .entry bounded() .maxntid 64, 1, 1
{
	ret;
}

.visible .entry static()
{
	.shared .align 4 .b8 s[1000];
	.reg .b32 %r<2>;
	mov.u32 %r1, s;
	ret;
}
`
