package ptx

// A Type is a fundamental type, written without its dot: "u32", "b8", "pred", "texref".
type Type string

// Bytes is the size of one value of t. It is 0 for "pred" and for types that have no size of their own.
func (t Type) Bytes() int { return int(typeBytes[t]) }

func (t Type) known() bool { _, ok := typeBytes[t]; return ok }

// References to textures and surfaces are 64-bit handles where they take room.
var typeBytes = map[Type]uint8{
	"b8": 1, "s8": 1, "u8": 1, "e4m3": 1, "e5m2": 1,
	"b16": 2, "s16": 2, "u16": 2, "f16": 2, "bf16": 2, "e4m3x2": 2, "e5m2x2": 2,
	"b32": 4, "s32": 4, "u32": 4, "f32": 4, "f16x2": 4, "bf16x2": 4, "tf32": 4,
	"b64": 8, "s64": 8, "u64": 8, "f64": 8, "f32x2": 8,
	"b128": 16, "pred": 0,
	"texref": 8, "samplerref": 8, "surfref": 8,
}

// A Space is a state space, written without its dot.
type Space string

// The state spaces of declarations.
const (
	SpaceReg    Space = "reg"
	SpaceSReg   Space = "sreg"
	SpaceConst  Space = "const"
	SpaceGlobal Space = "global"
	SpaceLocal  Space = "local"
	SpaceParam  Space = "param"
	SpaceShared Space = "shared"
	SpaceTex    Space = "tex"
)

func (s Space) known() bool {
	switch s {
	case SpaceReg, SpaceSReg, SpaceConst, SpaceGlobal, SpaceLocal, SpaceParam, SpaceShared, SpaceTex:
		return true
	}
	return false
}

// A Linkage says who else sees a function or variable; "" means that only its own module does.
type Linkage string

// The linkages.
const (
	LinkInternal Linkage = ""
	LinkVisible  Linkage = "visible"
	LinkExtern   Linkage = "extern"
	LinkWeak     Linkage = "weak"
	LinkCommon   Linkage = "common"
)
