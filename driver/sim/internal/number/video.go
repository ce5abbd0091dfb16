package number

// A Part names a byte or half of a register in a video instruction. The zero value is
// the whole register. Safe for concurrent use.
type Part uint8

const (
	Whole Part = iota
	B0         // .b0
	B1         // .b1
	B2         // .b2
	B3         // .b3
	H0         // .h0
	H1         // .h1
)

// A SecondOp is what a video instruction does with its result and c. The zero value is
// nothing; a merge is given by Video.D. Safe for concurrent use.
type SecondOp uint8

const (
	NoSecond  SecondOp = iota
	SecondAdd          // .add
	SecondMin          // .min
	SecondMax          // .max
)

// A Video holds the modifiers of vadd, vsub, vabsdiff, vmin, vmax, vset, vshl, vshr and
// vmad. The zero value is .u32.u32.u32 on whole registers. Safe for concurrent use after
// it is made; its fields must not change.
type Video struct {
	ASigned, BSigned, DSigned bool     // .s32 for a, b and the result
	A, B                      Part     // .asel, .bsel
	D                         Part     // .dsel: the result is put there, c is the rest
	Sat                       bool     // .sat
	Second                    SecondOp // .op2
	Wrap                      bool     // .wrap of vshl and vshr, instead of .clamp
}

// VAdd is vadd. Safe for concurrent use.
func (v Video) VAdd(a, b, c uint32) uint32 { return v.end(v.a(a)+v.b(b), c) }

// VSub is vsub. Safe for concurrent use.
func (v Video) VSub(a, b, c uint32) uint32 { return v.end(v.a(a)-v.b(b), c) }

// VAbsDiff is vabsdiff. Safe for concurrent use.
func (v Video) VAbsDiff(a, b, c uint32) uint32 { return v.end(Abs(v.a(a)-v.b(b)), c) }

// VMin is vmin. Safe for concurrent use.
func (v Video) VMin(a, b, c uint32) uint32 { return v.end(min(v.a(a), v.b(b)), c) }

// VMax is vmax. Safe for concurrent use.
func (v Video) VMax(a, b, c uint32) uint32 { return v.end(max(v.a(a), v.b(b)), c) }

// VShl is vshl. b is unsigned. Safe for concurrent use.
func (v Video) VShl(a, b, c uint32) uint32 { return v.end(v.a(a)<<v.distance(b), c) }

// VShr is vshr. Safe for concurrent use.
func (v Video) VShr(a, b, c uint32) uint32 { return v.end(v.a(a)>>v.distance(b), c) }

// VSet is vset: 1 where the operands compare so, else 0. Safe for concurrent use.
func (v Video) VSet(a, b, c uint32, cmp Compare) uint32 {
	return v.end(cmp.of(v.a(a), v.b(b)), c)
}

func (v Video) a(x uint32) int64 { return v.A.extract(x, v.ASigned) }

func (v Video) b(x uint32) int64 { return v.B.extract(x, v.BSigned) }

// distance is how far vshl and vshr shift.
func (v Video) distance(b uint32) int64 {
	n := v.B.extract(b, false)
	if v.Wrap {
		return n & 31
	}
	return min(n, 32)
}

// end saturates the result, merges it into c or combines it with c.
func (v Video) end(r int64, c uint32) uint32 {
	if v.Sat {
		r = v.D.clamp(r, v.DSigned)
	}
	third := Whole.extract(c, v.DSigned)
	switch v.Second {
	case SecondAdd:
		return uint32(r + third)
	case SecondMin:
		return uint32(min(r, third))
	case SecondMax:
		return uint32(max(r, third))
	}
	return v.D.insert(r, c)
}

// shift returns where the part begins, and its bits.
func (p Part) shift() (from, bits uint32) {
	switch {
	case p == Whole:
		return 0, 32
	case p >= H0:
		return uint32(p-H0) * 16, 16
	}
	return uint32(p-B0) * 8, 8
}

// extract returns the part of x as a number.
func (p Part) extract(x uint32, signed bool) int64 {
	from, bits := p.shift()
	x = x >> from << (32 - bits)
	if signed {
		return int64(int32(x) >> (32 - bits))
	}
	return int64(x >> (32 - bits))
}

// clamp limits r to what the part can hold.
func (p Part) clamp(r int64, signed bool) int64 {
	_, bits := p.shift()
	if signed {
		return Clamp(r, -1<<(bits-1), 1<<(bits-1)-1)
	}
	return Clamp(r, 0, 1<<bits-1)
}

// insert puts r in the place of the part of c.
func (p Part) insert(r int64, c uint32) uint32 {
	from, bits := p.shift()
	mask := uint32(1<<bits-1) << from
	return c&^mask | uint32(r)<<from&mask
}
