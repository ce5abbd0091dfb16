package ptx_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

type syntaxCase struct{ text, want string }

// in puts a statement on line 5 of a module.
func in(s string) string { return head + ".entry k() {\n" + s + "\n}\n" }

var syntaxErrors = []syntaxCase{
	{"", `line 1:1: expected .version, found the end of the text`},
	{"\x00", `line 1:1: expected .version, found the end of the text`},
	{"// only a comment\n", `line 2:1: expected .version, found the end of the text`},
	{".target sm_80", `line 1:1: expected .version, found ".target"`},
	{".version 8\n", `line 1:10: expected a version such as 8.4, found "8"`},
	{".version 8.\n", `line 1:10: expected a version such as 8.4, found "8."`},
	{".version 8e3\n", `line 1:10: expected a version such as 8.4, found "8e3"`},
	{".version 8.4\n.address_size 64\n", `line 2:1: expected .target, found ".address_size"`},
	{".version 8.4\n.target sm_80,\n", `line 3:1: expected a target or option, found the end of the text`},
	{".version 8.4\n.target sm_80\n.address_size 16\n.global .u32 x;", `address size 16 is neither 32 nor 64`},
	{head + ".target sm_80\n", `line 4:1: unknown directive ".target"`},
	{head + "#line 3 \"x\"\n", `line 4:1: a preprocessor line: PTX made by a compiler has none`},
	{head + ".include \"x\"\n", `line 4:1: unknown directive ".include"`},
	{head + ";", `line 4:1: expected a directive, found ";"`},
	{head + "\x00.entry k(){}", `line 4:1: a NUL byte before the end`},
	{head + "// \x00\n.entry k(){}", `line 4:4: a NUL byte before the end`},
	{head + "/* \x00*/", `line 4:4: a NUL byte before the end`},
	{head + "\v", `line 4:1: unexpected byte '\v'`},
	{head + "\u00a0", `line 4:1: byte 0xc2 outside ASCII`},
	{head + "/* \n\n", `line 4:1: comment without end`},
	{head + "/", `line 4:1: expected a directive, found "/"`},
	{head + ". global", `line 4:1: a dot without a name behind it`},
	{head + ".pragma \"a", `line 4:9: string without end`},
	{head + ".pragma \"a\nb\";", `line 4:9: control byte 0x0a in a string`},
	{head + ".pragma \"a\\\"; } .entry evil() { .pragma \"b\";", `line 4:9: a backslash before the quote in a string`},
	{head + ".global .q32 x;", `line 4:9: expected a type, found ".q32"`},
	{head + ".global .u32 .align 4 x;", `line 4:14: expected a name, found ".align"`},
	{head + ".global .align 3 .u32 x;", `alignment 3 is not a power of two`},
	{head + ".global .u32 x[-1];", `line 4:16: expected a number, found "-"`},
	{head + ".global .b8 x[0x7fffffffffffffff];", `variable "x" has more than 281474976710656 bytes`},
	{head + ".global .u64 x[4294967296][4294967296];", `variable "x" has more than 281474976710656 bytes`},
	{head + ".global .u64 x[0x8000000000000000];", `number 9223372036854775808 is out of range`},
	{head + ".global .u32 x<3>;", `a range of variables that are not registers`},
	{head + ".global .u32 x = {1,};", `line 4:21: expected a value, found "}"`},
	{head + ".global .u32 x = 1/0;", `line 4:19: division by zero`},
	{head + ".global .u32 x = 1 % 0;", `line 4:20: division by zero`},
	{head + ".global .u32 x = 1<<64;", `a shift by more than 63`},
	{head + ".global .u32 x = 08;", `line 4:18: malformed number "08"`},
	{head + ".global .u32 x = 5u;", `malformed number "5u"`},
	{head + ".global .u32 x = 0b12;", `malformed number "0b12"`},
	{head + ".global .u32 x = 0x;", `malformed number "0x;"`},
	{head + ".global .u32 x = 1.5f;", `malformed number "1.5f"`},
	{head + ".global .u32 x = 1e;", `malformed number "1e;"`},
	{head + ".global .f32 x = 0f3F80000;", `malformed number "0f3F80000;"`},
	{head + ".global .f32 x = -0f3F800000;", `an operator in front of a floating-point constant given by its bits`},
	{head + ".global .f32 x = 1.5+1;", `an operator between numbers of two kinds`},
	{head + ".global .f32 x = 1.5&1.5;", `an operator that floating-point numbers don't have`},
	{head + ".global .u64 x = 18446744073709551616;", `number "18446744073709551616" has more than 64 bits`},
	{head + ".global .u64 x = " + strings.Repeat("9", 50) + ";", `number "` + strings.Repeat("9", 40) + `..." has more than 64 bits`},
	{head + ".entry k(.global .u32 a) {}", `a parameter in state space "global"`},
	{head + ".entry k(.param .u32 a,) {}", `line 4:24: expected a parameter, found ")"`},
	{head + ".entry k(.param .b8 a[281474976710657]) {}", `parameter "a" has more than`},
	{head + ".entry k(.param .b8 a[281474976710656], .param .b8 b) {}", `the parameters of "k" have more than`},
	{head + ".entry k() ret;", `line 4:12: expected "{" or ";", found "ret"`},
	{head + ".entry k() {", `line 4:13: expected "}", found the end of the text`},
	{head + ".entry k() .pragma \"a\" {}", `expected ";", found "{"`},
	{in("ret"), `line 6:1: expected an operand, found "}"`},
	{in("bar.sync 0"), `line 6:1: expected "," or ";", found "}"`},
	{in(";"), `line 5:1: expected a statement, found ";"`},
	{in("%r1 = 3;"), `line 5:5: "%r1" is not an instruction`},
	{in("mov.u32 %r1, ;"), `line 5:14: expected an operand, found ";"`},
	{in("mov. u32 %r1, 1;"), `a dot without a name behind it`},
	{in("add.u32 %r1 %r2;"), `line 5:13: expected "," or ";", found "%r2"`},
	{in("mov.b64 {%r1,}, %rd1;"), `expected an operand, found "}"`},
	{in("ld.u32 %r1, [%rd1-4];"), `line 5:18: expected "]", found "-"`},
	{in("ld.u32 %r1, [];"), `expected an address, found "]"`},
	{in("ld.u32 %r1, [_];"), `not an address`},
	{in("ld.u32 %r1, [%tid.x];"), `not an address`},
	{in("call f, (a,);"), `expected an argument, found ")"`},
	{in("mov.u32 %r1, (1;"), `expected ")", found ";"`},
	{in("@%p1;"), `line 5:5: expected an instruction, found ";"`},
	{in("@!; ret;"), `expected a predicate, found ";"`},
	{in(".reg .b32 %r<99999999>;"), `a range of 99999999 registers is more than 16777216`},
	{in(".entry e() {}"), `line 5:1: unknown directive ".entry"`},
	{in(".loc 1 2 -3"), `expected a number, found "-"`},
	{in(".loc 1 2 3, inlined_at 1 2 3"), `expected function_name, found "inlined_at"`},
	{in("p: .callprototype (.param .b32 _) f ();"), `expected "_", found "f"`},
	{head + ".section .debug_x { 1 }", `expected data or a label, found "1"`},
	{head + ".section .debug_x { .f32 1 }", `type "f32" in a section`},
	{head + ".section foo { }", `expected a section's name, found "foo"`},
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range syntaxErrors {
		t.Run(clip(c.want), func(t *testing.T) {
			m, err := ptx.Parse(c.text)
			require.Error(t, err, "%q", c.text)
			assert.Nil(t, m)
			assert.Contains(t, err.Error(), c.want, "%q", c.text)
			assert.True(t, strings.HasPrefix(err.Error(), "ptx: parse: line "))
			var syntax *ptx.SyntaxError
			assert.ErrorAs(t, err, &syntax)
			roundTrip(t, c.text)
		})
	}
}

func clip(s string) string { return s[:min(len(s), 60)] }
