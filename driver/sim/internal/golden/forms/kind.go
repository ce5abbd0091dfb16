package forms

// A kind is how a value looks: what a register of it is declared as, and how it is loaded and stored.
type kind struct {
	reg   string // the type of its register
	size  int    // bytes in memory
	float *format
	lanes int // numbers packed in it, 0: one
}

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
	"b128": {size: 16}, // in memory alone
}
