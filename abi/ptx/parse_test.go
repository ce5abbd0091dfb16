package ptx_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

const head = ".version 8.4\n.target sm_90a\n.address_size 64\n"

// A feature is a piece of PTX and how it is printed; "" where that is as it stands.
type feature struct {
	name  string
	in    string
	out   string
	inner bool // stands in a kernel's body
}

func (f feature) text() string {
	if f.inner {
		return head + ".entry k()\n{\n" + f.in + "}\n"
	}
	return head + f.in
}

func (f feature) printed() string {
	if f.out == "" {
		return f.text()
	}
	f.in = f.out
	return f.text()
}

var features = []feature{
	{name: "comments", in: "// one\n/* two\n*/.global/**/.u32 x;// three", out: ".global .u32 x;\n"},
	{name: "blanks", in: "\r\n\f\t.global\r.u32\n\nx ;", out: ".global .u32 x;\n"},
	{name: "linkage", in: ".visible .global .u32 a;\n.extern .global .u32 b;\n.weak .const .u32 c;\n.common .global .u32 d;\n"},
	{name: "alignment and vector", in: ".global .align 16 .v4 .f32 v = {0f3F800000, 1.5, -2e3, 0f00000000};\n"},
	{name: "array", in: ".global .align 4 .b8 a[3][2] = {{1, 2}, {3, 4}, {5, 6}};\n.extern .shared .align 16 .b8 s[];\n"},
	{name: "several names", in: ".global .u32 a, b = 3, c[2];", out: ".global .u32 a;\n.global .u32 b = 3;\n.global .u32 c[2];\n"},
	{name: "addresses", in: ".global .u64 g[5] = {generic(a), generic(a)+8, f, a+4, a+-4};\n"},
	{name: "masks", in: ".global .u8 m[3] = {0xff(a), 0xff00(a+4), 0xff0000(generic(a))};\n"},
	{name: "numbers keep their spelling", in: ".global .u64 n[8] = {0x1F, 017, 0b101, 0B11U, 5U, -5, 18446744073709551615, 0X1fU};\n"},
	{name: "numbers are worked out", in: ".global .u64 n[4] = {1+2, - -3, (7), 1?2:3};", out: ".global .u64 n[4] = {3, 3, 7, 2};\n"},
	{name: "managed", in: ".visible .global .attribute(.managed) .align 4 .u32 mg = 3;\n"},
	{name: "unified", in: ".global .attribute(.managed, .unified(19, 95)) .u32 mg;\n"},
	{name: "attributes apart", in: ".global .attribute(.managed) .attribute(.unified(1,2)) .u32 x;", out: ".global .attribute(.managed, .unified(1, 2)) .u32 x;\n"},
	{name: "sampler", in: ".global .samplerref s = {filter_mode = nearest, addr_mode_0 = wrap, force_unnormalized_coords = 1};\n.global .texref t;\n.global .surfref u;\n"},
	{name: "alias", in: ".func f()\n{\n}\n.func g();\n.alias g, f;\n"},
	{name: "file", in: ".file 1 \"C:\\dir\\k.cu\"\n.file 2 \"b\", 1700000000, 18446744073709551615\n"},
	{name: "module pragma", in: ".pragma \"nounroll\", \"x\";\n"},
	{name: "section", in: ".section .debug_str\n{\ninfo:\n.b8 1,2,-3\na:\n.b32 a\n.b64 a+4\n.b32 b-a\n.b32 .debug_str\n.b32 .debug_str+8\nb:\n}\n"},
	{name: "empty section", in: "\t.section\t.debug_loc\t{\t}", out: ".section .debug_loc\n{\n}\n"},
	{name: "entry without parentheses", in: ".visible .entry k { }", out: ".visible .entry k()\n{\n}\n"},
	{name: "parameters", in: ".entry k(\n\t.param .u64 .ptr .global .align 4 p,\n\t.param .u64 .ptr q,\n\t.param .u64 .ptr .align 8 r,\n\t.param .align 8 .b8 s[24],\n\t.param .b32 t\n)\n{\n}\n"},
	{name: "performance directives", in: ".entry k()\n.maxntid 128, 1, 1\n.reqntid 64\n.minnctapersm 2\n.maxnctapersm 4\n.maxnreg 32\n.reqnctapercluster 2, 1, 1\n.explicitcluster\n.maxclusterrank 8\n.pragma \"nounroll\";\n{\n}\n"},
	{name: "declarations", in: ".extern .func (.param .b32 r) vprintf(\n\t.param .b64 a,\n\t.param .b64 b\n);\n.func f()\n.noreturn;\n"},
	{name: "register parameters", in: ".func (.reg .u32 r, .param .b32 s) f(\n\t.reg .u32 a\n)\n{\n\tadd.u32 r, a, 1;\n}\n"},
	{name: "attribute of a function", in: ".extern .func .attribute(.unified(1, 2)) f();\n"},

	{name: "registers", inner: true, in: "\t.reg .b32 %r<10>;\n\t.reg .pred p;\n\t.reg .v4 .f32 v;\n\t.reg .b64 %rd<0>;\n"},
	{name: "local variables", inner: true, in: "\t.local .align 8 .b8 __local_depot0[40];\n\t.shared .u32 s;\n\t.param .align 4 .b8 p[12];\n\t.extern .shared .u32 e[];\n"},
	{name: "predicates", inner: true, in: "@ p add.s32 a,b,1; @!%p1 bra L; @ ! q exit;", out: "\t@p add.s32 a, b, 1;\n\t@!%p1 bra L;\n\t@!q exit;\n"},
	{name: "labels", inner: true, in: "L:M : bra L;", out: "L:\nM:\n\tbra L;\n"},
	{name: "blocks", inner: true, in: "\t{\n\t\t{\n\t\t}\n\t\tret;\n\t}\n"},
	{name: "apart modifiers", inner: true, in: "mov .u32/**/.x a, b;", out: "\tmov.u32.x a, b;\n"},
	{name: "double colons", inner: true, in: "\tcp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r1], [%rd1, {%r2, %r3}], [%r4], %rd2;\n"},
	{name: "addresses of memory", inner: true, in: "\tld.global.u32 %r1, [%rd1];\n\tld.global.u32 %r1, [%rd1+4];\n\tst.global.u32 [%rd1+-4], %r1;\n\tld.const.u32 %r1, [c+8];\n\tld.local.u32 %r1, [64];\n\tld.global.u32 %r1, [a[2]];\n"},
	{name: "offset zero", inner: true, in: "\tld.param.u32 %r1, [p+0];\n\tld.param.u32 %r1, [p];\n"},
	{name: "offset of zero", inner: true, in: "ld.u32 %r1, [%r2+4-4];", out: "\tld.u32 %r1, [%r2+0];\n"},
	{name: "offsets worked out", inner: true, in: "ld.u32 %r1, [p+4*2]; ld.u32 %r1, [%rd1+(4+4)];", out: "\tld.u32 %r1, [p+8];\n\tld.u32 %r1, [%rd1+8];\n"},
	{name: "elements", inner: true, in: "\tmov.u64 %rd1, a[3];\n\tmov.u64 %rd1, a+12;\n"},
	{name: "textures", inner: true, in: "\ttex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];\n\ttex.1d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [t, s, {%f1}];\n\tsust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};\n"},
	{name: "pairs", inner: true, in: "\tshfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;\n\tsetp.lt.and.s32 p|q, %r1, 3, !%p1;\n\telect.sync _|%p2, 0xffffffff;\n"},
	{name: "vectors", inner: true, in: "\tmov.b64 {%r1, _}, %rd1;\n\tmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2}, {%r1, %r2}, {%r3}, {%f1, %f2};\n"},
	{name: "special registers", inner: true, in: "\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r1, %laneid;\n\tmov.u32 %r1, WARP_SZ;\n\tmov.v4.u32 {%r1, %r2, %r3, %r4}, %ctaid;\n\tmov.u32 %r1, %envreg31;\n"},
	{name: "video", inner: true, in: "\tvadd.s32.s32.s32 %r1, %r2.b0, %r3.h1;\n\tvmad.s32.s32.s32 %r1, -%r2.b0, %r3.b0, %r4;\n"},
	{name: "floats", inner: true, in: "\tmov.f32 %f1, 0f3F800000;\n\tmov.f64 %fd1, 0d3ff0000000000000;\n\tmov.f32 %f1, 1.;\n\tmov.f32 %f1, -1.5e-3;\n"},
	{name: "calls", inner: true, in: "call.uni (retval0), \nvprintf, \n(\nparam0, \nparam1\n);call (r),%rd1,(a,1),prototype_0;call f;call f, ();",
		out: "\tcall.uni (retval0), vprintf, (param0, param1);\n\tcall (r), %rd1, (a, 1), prototype_0;\n\tcall f;\n\tcall f, ();\n"},
	{name: "prototypes", inner: true, in: "p : .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]);q:.callprototype ()_();r:.callprototype _.noreturn;",
		out: "p: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]);\nq: .callprototype _ ();\nr: .callprototype _ ()\n.noreturn;\n"},
	{name: "targets", inner: true, in: "t: .branchtargets A, B;\nu: .calltargets f, g;\n\tbrx.idx %r1, t;\n"},
	{name: "locations", inner: true, in: "\t.loc 1 2 3\n\t.loc 1 4 0, function_name $L__info_string0, inlined_at 1 4 5\n\t.loc 1 4 0, function_name $L__info_string0+11, inlined_at 1 4 5\n\tret;\n"},
	{name: "pragma", inner: true, in: "\t.pragma \"nounroll\";\n"},
	{name: "Blackwell", inner: true, in: "\ttcgen05.wait::ld.sync.aligned;\n\ttcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, {%r3, %r4, %r5, %r6}, %p1;\n" +
		"\ttcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%r1}, [%r2], 0x100000010U;\n\tld.global.L1::no_allocate.L2::256B.v8.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [%rd1];\n" +
		"\tclusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r1, %r2, %r3, _}, %rq1;\n"},
	{name: "instructions named like directives", inner: true, in: "\tret;\nret:\n\tentry.func reg, align;\n"},
}

func TestFeatures(t *testing.T) {
	for _, f := range features {
		t.Run(f.name, func(t *testing.T) {
			m, err := ptx.Parse(f.text())
			require.NoError(t, err)
			assert.Equal(t, f.printed(), m.Print())
			roundTrip(t, f.text())
		})
	}
}

func TestHeader(t *testing.T) {
	m := parse(t, ".version 7.0 .target sm_80, debug, texmode_independent\n\x00\x00")
	assert.Equal(t, &ptx.Module{
		Version: ptx.Version{Major: 7, Minor: 0},
		Target:  ptx.Target{Arch: "sm_80", Options: []string{"debug", "texmode_independent"}},
	}, m)
	assert.True(t, m.Target.Debug())
	assert.False(t, parse(t, head).Target.Debug())
	assert.Equal(t, 64, parse(t, head).AddressSize)
}

func TestLookUp(t *testing.T) {
	m := parse(t, head+`
.extern .global .u32 x; .global .u32 x; .extern .global .u32 y;
.func f(); .entry b() {} .func f() {ret;} .entry a() {} .func g(); .entry declared();
`)
	assert.Equal(t, []string{"b", "a"}, []string{m.Entries()[0].Name, m.Entries()[1].Name})
	assert.Len(t, m.Entries(), 2)
	assert.Same(t, m.Entries()[1], m.Entry("a"))
	assert.Nil(t, m.Entry("f"), "not a kernel")
	assert.Nil(t, m.Entry("declared"))
	assert.Nil(t, m.Entry("A"))
	assert.NotNil(t, m.Function("f").Body)
	assert.Nil(t, m.Function("g").Body)
	assert.Nil(t, m.Function("h"))
	assert.Len(t, m.Functions(), 6)
	assert.Equal(t, ptx.LinkInternal, m.Variable("x").Linkage)
	assert.Equal(t, ptx.LinkExtern, m.Variable("y").Linkage)
	assert.Nil(t, m.Variable("f"))
}

func TestLines(t *testing.T) {
	m := parse(t, ".version 8.4\n.target sm_90\n/*\n*/ .entry k(.param .u32 a,\n.param .u32 b)\n{ .reg .u32 %r;\n\n@p add.u32\n%r, 1,\n2;\nL: {\n.loc 1 7 9\nret; }\n}\n.global .u32 g;")
	k := m.Entry("k")
	assert.Equal(t, 4, k.Pos())
	assert.Equal(t, []int{4, 5}, []int{k.Params[0].Line, k.Params[1].Line})
	var lines []int
	for _, s := range k.Body.Statements {
		lines = append(lines, s.Pos())
	}
	assert.Equal(t, []int{6, 8, 11, 11}, lines)
	inner := k.Body.Statements[3].(*ptx.Block)
	assert.Equal(t, []int{12, 13, 13, 14}, []int{inner.Statements[0].Pos(), inner.Statements[1].Pos(), inner.End, k.Body.End})
	assert.Equal(t, 15, m.Variable("g").Pos())
	loc := inner.Statements[0].(*ptx.Loc)
	assert.Equal(t, []int64{1, 7, 9}, []int64{loc.File, loc.Source, loc.Column})
}

func TestDirective(t *testing.T) {
	k := parse(t, head+".entry k() .maxntid 128, 2, 1 .noreturn {}").Entry("k")
	args, ok := k.Directive("maxntid")
	assert.True(t, ok)
	assert.Equal(t, []int64{128, 2, 1}, args)
	args, ok = k.Directive("noreturn")
	assert.True(t, ok)
	assert.Empty(t, args)
	_, ok = k.Directive("reqntid")
	assert.False(t, ok)
}

// Text that Parse must not keep apart from what an assembler would see.
func TestPrintHidesNothing(t *testing.T) {
	m := parse(t, head+"/* .entry evil(){} */ .entry k() { // } .entry evil() {\nret; }\n")
	assert.NotContains(t, m.Print(), "evil")
	assert.Equal(t, 1, strings.Count(m.Print(), ".entry"))
}
