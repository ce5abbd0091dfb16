package misuse

// head begins the PTX of this package.
const head = `.version 6.0
.target sm_52
.address_size 64
`

// plain are kernels that can be used rightly, too.
const plain = head + `
.visible .global .align 4 .u32 counter = 5;
.visible .entry nothing()
{
	ret;
}
.visible .entry store(.param .u64 p, .param .u32 v)
{
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [v];
	st.global.u32 [%rd1], %r1;
	ret;
}
.visible .entry bounded() .maxntid 64, 1, 1
{
	ret;
}
.visible .entry flat() .maxntid 8, 8, 1
{
	ret;
}
.visible .entry required() .reqntid 32, 2, 1
{
	ret;
}
.visible .entry shared()
{
	.shared .align 4 .b8 s[40000];
	.reg .b32 %r<2>;
	mov.u32 %r1, s;
	st.shared.u32 [%r1], %r1;
	ret;
}
`

// wrong are kernels that take the GPU from the process.
const wrong = head + `
.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 text[8] = {104, 101, 114, 101, 0, 0, 0, 0};
.visible .entry store(.param .u64 p, .param .u32 v)
{
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [v];
	st.global.u32 [%rd1], %r1;
	ret;
}
.visible .entry load(.param .u64 p)
{
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [p];
	ld.global.u32 %r1, [%rd1];
	st.global.u32 [%rd1], %r1;
	ret;
}
.visible .entry atomic(.param .u64 p)
{
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [p];
	atom.global.add.u32 %r1, [%rd1], 1;
	ret;
}
.visible .entry sharedAt(.param .u32 p)
{
	.reg .b32 %r<3>;
	ld.param.u32 %r1, [p];
	st.shared.u32 [%r1], %r1;
	ret;
}
.visible .entry trapped()
{
	trap;
	ret;
}
.visible .entry asserted()
{
	.reg .b64 %rd<2>;
	.reg .b32 %r<2>;
	.param .b64 a;
	.param .b64 b;
	.param .b32 c;
	.param .b64 d;
	.param .b64 e;
	mov.u64 %rd1, text;
	cvta.global.u64 %rd1, %rd1;
	mov.u32 %r1, 7;
	st.param.b64 [a], %rd1;
	st.param.b64 [b], %rd1;
	st.param.b32 [c], %r1;
	st.param.b64 [d], %rd1;
	mov.u64 %rd1, 1;
	st.param.b64 [e], %rd1;
	call.uni __assertfail, (a, b, c, d, e);
	ret;
}
.visible .entry jumping(.param .u64 to)
{
	.reg .b64 %rd<2>;
	P: .callprototype _ ();
	ld.param.u64 %rd1, [to];
	call %rd1, (), P;
	ret;
}
`

// deep calls itself without end. It is a module of its own, since the driver gives threads more local memory for it.
const deep = head + `
.func (.param .b32 r) down(.param .b32 n)
{
	.local .align 8 .b8 frame[1024];
	.reg .b32 %r<6>;
	.reg .b64 %rd<3>;
	.param .b32 a;
	.param .b32 b;
	ld.param.u32 %r1, [n];
	mov.u64 %rd1, frame;
	and.b32 %r2, %r1, 1020;
	cvt.u64.u32 %rd2, %r2;
	add.u64 %rd1, %rd1, %rd2;
	st.local.u32 [%rd1], %r1;
	add.u32 %r3, %r1, 1;
	st.param.b32 [a], %r3;
	call (b), down, (a);
	ld.param.b32 %r4, [b];
	ld.local.u32 %r5, [%rd1];
	add.u32 %r4, %r4, %r5;
	st.param.b32 [r], %r4;
	ret;
}
.visible .entry recursive(.param .u64 p)
{
	.reg .b64 %rd<2>;
	.reg .b32 %r<3>;
	.param .b32 a;
	.param .b32 b;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, 0;
	st.param.b32 [a], %r1;
	call (b), down, (a);
	ld.param.b32 %r2, [b];
	st.global.u32 [%rd1], %r2;
	ret;
}
`

// Module loads PTX once a process.
func (p *Process) Module(text string) uintptr {
	m, ok := p.modules[text]
	if !ok {
		m = p.Make("cuModuleLoadDataEx", p.Text(text), 0, 0, 0)
		if p.modules == nil {
			p.modules = map[string]uintptr{}
		}
		p.modules[text] = m
	}
	return m
}

// Kernel finds a kernel of a module.
func (p *Process) Kernel(text, name string) uintptr {
	return p.Make("cuModuleGetFunction", p.Module(text), p.Text(name))
}

// Stream makes a stream that does not wait for the null stream.
func (p *Process) Stream() uintptr { return p.Make("cuStreamCreate", 1) }

// Event makes an event.
func (p *Process) Event() uintptr { return p.Make("cuEventCreate", 0) }

// Memory is device memory.
func (p *Process) Memory(bytes uintptr) uintptr { return p.Make("cuMemAlloc_v2", bytes) }
