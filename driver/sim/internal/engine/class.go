package engine

import (
	"slices"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A Class is a kind of instructions that are counted together, much as the groups smsp__sass_thread_inst_executed_op_… of Nsight Compute.
type Class int

// The classes.
const (
	Integer      Class = iota // arithmetic, logic, shifts and comparisons of integers
	Float32                   // arithmetic and comparisons of float
	Float64                   // of double
	Half                      // of half, bfloat16 and pairs of them
	Conversion                // between types: cvt
	Move                      // mov, selp, prmt, addresses: what computes nothing
	LoadGlobal                // ld, cp.async and ldmatrix by the space that is read
	LoadShared                //
	LoadLocal                 //
	LoadConst                 // of constants and parameters
	LoadGeneric               // at a generic address
	StoreGlobal               // st by the space
	StoreShared               //
	StoreLocal                // and parameters of calls
	StoreGeneric              //
	Atomic                    // atom and red
	Texture                   // textures and surfaces
	Control                   // branches, calls, returns
	Barrier                   // bar, barrier, mbarrier, fences
	Warp                      // exchange between lanes: shfl, vote, match, redux
	Special                   // approximations: sin, ex2, rcp and their like
	Tensor                    // mma and wmma
	Other                     // hints, and what is none of these
	classes
)

var classNames = [classes]string{"integer", "float32", "float64", "half", "conversion", "move", "load global", "load shared", "load local", "load const",
	"load generic", "store global", "store shared", "store local", "store generic", "atomic", "texture", "control", "barrier", "warp", "special",
	"tensor", "other"}

// String is its name in lower case.
func (c Class) String() string {
	if c < 0 || c >= classes {
		return "class"
	}
	return classNames[c]
}

// classOf is the class of an opcode that has one of its own.
func classOf(opcode string) (Class, bool) {
	switch opcode {
	case "cvt":
		return Conversion, true
	case "szext":
		return Integer, true
	case "mov", "selp", "slct", "prmt", "cvta", "isspacep", "mapa", "getctarank":
		return Move, true
	case "movmatrix", "shfl", "vote", "match", "redux", "activemask", "elect":
		return Warp, true
	case "ldmatrix":
		return LoadShared, true
	case "stmatrix":
		return StoreShared, true
	case "atom", "red", "multimem":
		return Atomic, true
	case "tex", "tld4", "txq", "suld", "sust", "sured", "suq":
		return Texture, true
	case "bra", "brx", "call", "ret", "exit", "trap", "nanosleep", "brkpt":
		return Control, true
	case "bar", "barrier", "mbarrier", "membar", "fence":
		return Barrier, true
	case "sin", "cos", "ex2", "lg2", "tanh", "rsqrt":
		return Special, true
	case "mma", "wgmma":
		return Tensor, true
	case "prefetch", "prefetchu", "discard", "applypriority", "griddepcontrol", "pmevent", "setmaxnreg", "createpolicy":
		return Other, true
	}
	return 0, false
}

// class is that of an instruction.
func class(in *ptx.Instruction) Class {
	space := accessOf(in).space
	switch in.Opcode {
	case "ld", "ldu":
		return loadClass(space)
	case "st":
		return storeClass(space)
	case "cp":
		return LoadGlobal
	case "wmma":
		switch {
		case in.Has("load"):
			return loadClass(space)
		case in.Has("store"):
			return storeClass(space)
		}
		return Tensor
	case "rcp", "sqrt", "div":
		if slices.Contains(in.Modifiers, "approx") {
			return Special
		}
	}
	if c, ok := classOf(in.Opcode); ok {
		return c
	}
	for _, m := range slices.Backward(in.Modifiers) {
		switch m {
		case "f32", "f32x2", "tf32":
			return Float32
		case "f64":
			return Float64
		case "f16", "f16x2", "bf16", "bf16x2":
			return Half
		}
	}
	return Integer
}

func loadClass(space ptx.Space) Class {
	switch space {
	case ptx.SpaceGlobal:
		return LoadGlobal
	case ptx.SpaceShared:
		return LoadShared
	case ptx.SpaceLocal:
		return LoadLocal
	case ptx.SpaceConst, ptx.SpaceParam:
		return LoadConst
	}
	return LoadGeneric
}

func storeClass(space ptx.Space) Class {
	switch space {
	case ptx.SpaceGlobal:
		return StoreGlobal
	case ptx.SpaceShared:
		return StoreShared
	case ptx.SpaceLocal, ptx.SpaceParam:
		return StoreLocal
	}
	return StoreGeneric
}
