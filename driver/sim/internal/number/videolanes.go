package number

// A VideoLanes holds the modifiers of a video instruction on two halves or four bytes,
// such as vadd2 and vabsdiff4. The zero value writes nothing. Safe for concurrent
// use after it is made; its fields must not change.
type VideoLanes struct {
	Lanes                     uint8    // 2 or 4
	ASigned, BSigned, DSigned bool     // .s32
	A, B                      [4]uint8 // the part of b:a for each lane of the operands, lane 0 first
	Mask                      uint8    // a bit for each lane that is written or summed
	Sat                       bool     // .sat
	Add                       bool     // .add: the sum of the lanes and c, instead of a merge with c
}

// DefaultLanes is an instruction without selectors or mask: lane i of a with lane i of b.
// Safe for concurrent use.
func DefaultLanes(lanes uint8) VideoLanes {
	v := VideoLanes{Lanes: lanes, Mask: 1<<lanes - 1}
	for i := range lanes {
		v.A[i], v.B[i] = i, lanes+i
	}
	return v
}

// VAdd is vadd2 and vadd4. Safe for concurrent use.
func (v *VideoLanes) VAdd(a, b, c uint32) uint32 {
	return v.each(a, b, c, func(x, y int64) int64 { return x + y })
}

// VSub is vsub2 and vsub4. Safe for concurrent use.
func (v *VideoLanes) VSub(a, b, c uint32) uint32 {
	return v.each(a, b, c, func(x, y int64) int64 { return x - y })
}

// VAvrg is vavrg2 and vavrg4: the mean, halves rounded away from zero. Safe for concurrent use.
func (v *VideoLanes) VAvrg(a, b, c uint32) uint32 {
	return v.each(a, b, c, func(x, y int64) int64 {
		sum := x + y
		return (sum + 1 + sum>>63) >> 1
	})
}

// VAbsDiff is vabsdiff2 and vabsdiff4. Safe for concurrent use.
func (v *VideoLanes) VAbsDiff(a, b, c uint32) uint32 {
	return v.each(a, b, c, func(x, y int64) int64 { return Abs(x - y) })
}

// VMin is vmin2 and vmin4. Safe for concurrent use.
func (v *VideoLanes) VMin(a, b, c uint32) uint32 {
	return v.each(a, b, c, func(x, y int64) int64 { return min(x, y) })
}

// VMax is vmax2 and vmax4. Safe for concurrent use.
func (v *VideoLanes) VMax(a, b, c uint32) uint32 {
	return v.each(a, b, c, func(x, y int64) int64 { return max(x, y) })
}

// VSet is vset2 and vset4. Safe for concurrent use.
func (v *VideoLanes) VSet(a, b, c uint32, cmp Compare) uint32 {
	return v.each(a, b, c, cmp.of)
}

// each applies op to the lanes of the operands and ends the instruction.
func (v *VideoLanes) each(a, b, c uint32, op func(x, y int64) int64) uint32 {
	pair := uint64(b)<<32 | uint64(a)
	width := 32 / v.Lanes
	part := H0
	if v.Lanes == 4 {
		part = B0
	}
	d := c
	for i := range v.Lanes {
		if v.Mask>>i&1 == 0 {
			continue
		}
		x := part.extract(uint32(pair>>(v.A[i&3]*width)), v.ASigned)
		y := part.extract(uint32(pair>>(v.B[i&3]*width)), v.BSigned)
		r := op(x, y)
		if v.Sat {
			r = part.clamp(r, v.DSigned)
		}
		if v.Add {
			d += uint32(r)
		} else {
			d = (part + Part(i)).insert(r, d)
		}
	}
	return d
}

// A Compare is a comparison of vset: .eq, .ne, .lt, .le, .gt or .ge. The zero value is .eq.
// Safe for concurrent use.
type Compare uint8

const (
	EQ Compare = iota // .eq
	NE                // .ne
	LT                // .lt
	LE                // .le
	GT                // .gt
	GE                // .ge
)

// of returns 1 where x and y compare so, else 0.
func (c Compare) of(x, y int64) int64 {
	var p bool
	switch c {
	case EQ:
		p = x == y
	case NE:
		p = x != y
	case LT:
		p = x < y
	case LE:
		p = x <= y
	case GT:
		p = x > y
	case GE:
		p = x >= y
	}
	if p {
		return 1
	}
	return 0
}
