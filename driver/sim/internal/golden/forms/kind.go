package forms

import "strings"

// A kind is how a value looks: what a register of it is declared as, and how it is loaded and stored.
type kind struct {
	reg   string // the type of its register
	size  int    // bytes in memory
	float *format
	lanes int   // numbers packed in it, 0: one
	style style // what numbers
}

// A style is a choice of numbers.
type style string

const (
	anyNumber style = ""
	whole     style = "whole" // small whole numbers, whose products and sums are exact
	unit      style = "unit"  // between -1 and 1
)

// A format is the layout of a floating-point number.
type format struct{ exp, man int }

func (f *format) bits() int { return 1 + f.exp + f.man }
func (f *format) bias() int { return 1<<(f.exp-1) - 1 }

var (
	half   = &format{5, 10}
	brain  = &format{8, 7}
	single = &format{8, 23}
	double = &format{11, 52}
)

var kinds = map[string]kind{
	"pred": {reg: "pred", size: 1},
	"u8":   {reg: "b32", size: 4}, "s8": {reg: "b32", size: 4}, "b8": {reg: "b32", size: 4}, // the bits above are anything
	"u16": {reg: "b16", size: 2}, "s16": {reg: "b16", size: 2}, "b16": {reg: "b16", size: 2},
	"u32": {reg: "b32", size: 4}, "s32": {reg: "b32", size: 4}, "b32": {reg: "b32", size: 4},
	"u64": {reg: "b64", size: 8}, "s64": {reg: "b64", size: 8}, "b64": {reg: "b64", size: 8},
	"f16": {reg: "b16", size: 2, float: half}, "bf16": {reg: "b16", size: 2, float: brain},
	"f32": {reg: "b32", size: 4, float: single}, "f64": {reg: "b64", size: 8, float: double},
	"u16x2": {reg: "b32", size: 4, lanes: 2}, "s16x2": {reg: "b32", size: 4, lanes: 2},
	"f16x2": {reg: "b32", size: 4, float: half, lanes: 2}, "bf16x2": {reg: "b32", size: 4, float: brain, lanes: 2},
	"e4m3x4": {reg: "b32", size: 4, float: &format{4, 3}, lanes: 4}, "e5m2x4": {reg: "b32", size: 4, float: &format{5, 2}, lanes: 4},
	// In memory alone.
	"b128": {size: 16}, "b256": {size: 32}, "s8x16": {size: 16, lanes: 16}, "s32x8": {size: 32, lanes: 8},
	"f16x8": {size: 16, float: half, lanes: 8}, "bf16x8": {size: 16, float: brain, lanes: 8}, "f32x4": {size: 16, float: single, lanes: 4}, "f32x8": {size: 32, float: single, lanes: 8},
	"f64x2": {size: 16, float: double, lanes: 2},
}

// kindOf is a kind by name: "f32", "f16x2:whole", or "*f32" for a result that the body writes.
func kindOf(name string) kind {
	base, s, _ := strings.Cut(strings.TrimPrefix(name, "*"), ":")
	k := kinds[base]
	k.style = style(s)
	return k
}
