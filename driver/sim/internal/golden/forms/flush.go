package forms

// flushes adds what .ftz makes of results just below the least normal number, which the operands of the table do not reach: products of 1-2x and
// 1+x times that number, sums that come to as much, and numbers in double precision that lie there. About half of them round to the
// least normal number if there is no least exponent.
func flushes(l *list) {
	add := func(family, form, body, operands, in, out string) {
		l.add(family, form+" around the least", "{\n"+body+form+" %d, "+operands+";\n}", in, out)
	}
	for _, mode := range []string{"rn", "rz", "rm", "rp"} {
		add("f32", "mul."+mode+".ftz.f32", replace(singles, "LEAST", "0x00800000"), "%x0, %y0", "b32", "f32")
		add("f32", "fma."+mode+".ftz.f32", replace(singles, "LEAST", "0x01000000"), "%x0, %y0, %z0", "b32", "f32")
		add("cvt-float", "cvt."+mode+".ftz.f32.f64", doubles, "%x0", "b64", "f32")
	}
	add("f16", "mul.rn.ftz.f16", replace(halves, "LEAST", "0x0400"), "%x0, %y0", "b16", "f16")
	add("f16", "fma.rn.ftz.f16", replace(halves, "LEAST", "0x0800"), "%x0, %y0, %z0", "b16", "f16")
}

// x0 is 1-2x, y0 a number of either sign that is LEAST times 1+x, z0 the least normal number with the other sign.
const (
	singles = `.reg .b32 %m0, %m1, %m2;
.reg .f32 %x0, %y0, %z0;
and.b32 %m0, %a, 0xfff;
shl.b32 %m1, %m0, 1;
sub.u32 %m1, 0x3f800000, %m1;
mov.b32 %x0, %m1;
and.b32 %m2, %a, 0x80000000;
add.u32 %m1, %m0, LEAST;
or.b32 %m1, %m1, %m2;
mov.b32 %y0, %m1;
xor.b32 %m2, %m2, 0x80800000;
mov.b32 %z0, %m2;
`
	halves = `.reg .b16 %m0, %m1, %x0, %y0, %z0;
and.b16 %m0, %a, 0x1f;
shl.b16 %m1, %m0, 1;
sub.u16 %x0, 0x3c00, %m1;
and.b16 %m1, %a, 0x8000;
add.u16 %m0, %m0, LEAST;
or.b16 %y0, %m0, %m1;
xor.b16 %z0, %m1, 0x8400;
`
	// x0 is up to 2^-23 of the least normal number below it, of either sign.
	doubles = `.reg .b64 %m0, %m1;
.reg .f64 %x0;
and.b64 %m0, %a, 0x3fffffff;
sub.u64 %m0, 0x3810000000000000, %m0;
and.b64 %m1, %a, 0x8000000000000000;
or.b64 %m0, %m0, %m1;
mov.b64 %x0, %m0;
`
)
