package engine

import (
	"math/bits"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// The video instructions on two halves or four bytes: vadd2, vabsdiff4 and the like, without selectors. See the PTX ISA manual,
// "SIMD Video Instructions".

type laneOp = func(v *number.VideoLanes, a, b, c uint32) uint32

// laneOpOf is the one of an opcode without its number of lanes.
func laneOpOf(opcode string) laneOp {
	switch opcode {
	case "vadd":
		return (*number.VideoLanes).VAdd
	case "vsub":
		return (*number.VideoLanes).VSub
	case "vavrg":
		return (*number.VideoLanes).VAvrg
	case "vabsdiff":
		return (*number.VideoLanes).VAbsDiff
	case "vmin":
		return (*number.VideoLanes).VMin
	case "vmax":
		return (*number.VideoLanes).VMax
	}
	return nil
}

// A videoOp is such an operation with its modifiers.
type videoOp struct {
	do laneOp
	v  number.VideoLanes
}

// video decodes vOPn.DTYPE.ATYPE.BTYPE{.sat}{.add} d, a, b, c.
func (d *decoder) video(in *ptx.Instruction) error {
	lanes := in.Opcode[len(in.Opcode)-1] - '0'
	x := &videoOp{do: laneOpOf(in.Opcode[:len(in.Opcode)-1]), v: number.DefaultLanes(lanes)}
	types := 0
	for _, m := range in.Modifiers {
		switch {
		case (m == "u32" || m == "s32") && types < 3:
			*[]*bool{&x.v.DSigned, &x.v.ASigned, &x.v.BSigned}[types] = m == "s32"
			types++
		case m == "sat":
			x.v.Sat = true
		case m == "add":
			x.v.Add = true
		default:
			return d.unsupported()
		}
	}
	if types != 3 {
		return d.unsupported()
	}
	if len(in.Operands) != 4 {
		return d.errorf("%d operands instead of 4", len(in.Operands))
	}
	o := op{fn: videoLanes, ext: x}
	for i, at := range []*int32{&o.a, &o.b, &o.c} {
		if r, ok := in.Operands[i+1].(*ptx.Register); ok && (r.Component != "" || strings.Contains(r.Name, ".")) {
			return d.unsupported()
		}
		r, err := d.source(in.Operands[i+1], "b32")
		if err != nil {
			return err
		}
		*at = r.slot
	}
	if r, ok := in.Operands[0].(*ptx.Register); ok && r.Component != "" {
		return d.unsupported()
	}
	r, err := d.dest(in.Operands[0], "b32")
	if err != nil {
		return err
	}
	o.d = r.slot
	d.emit(o)
	return nil
}

func videoLanes(w *warp, o *op) {
	x := o.ext.(*videoOp)
	d, as, bs, cs := &w.r32[o.d], &w.r32[o.a], &w.r32[o.b], &w.r32[o.c]
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		d[i] = x.do(&x.v, as[i], bs[i], cs[i])
	}
}
