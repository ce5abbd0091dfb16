package engine

import (
	"sync"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A decode makes operations of an instruction.
type decode = func(*decoder, *ptx.Instruction) error

// decoderOf is what decodes an opcode that needs more than the table of forms, else nil.
func decoderOf(opcode string) decode {
	decoders.once.Do(func() { decoders.of = newDecoders() })
	return decoders.of[opcode]
}

// decoders is made when it is first needed. What a program makes when it starts is linked into it whether it is used or not: a program that only
// opens GPUs must not have this package in it. So no variable here is initialised by code, and there is no init.
var decoders struct {
	once sync.Once
	of   map[string]decode
}

func newDecoders() map[string]decode {
	of := map[string]decode{
		"bra": (*decoder).bra, "brx": (*decoder).brx, "call": (*decoder).call, "ret": (*decoder).ret, "exit": (*decoder).exit, "trap": (*decoder).trap,
		"nanosleep": (*decoder).nanosleep,

		"add": (*decoder).carrying, "sub": (*decoder).carrying, "mad": (*decoder).carrying,
		"addc": (*decoder).carry, "subc": (*decoder).carry, "madc": (*decoder).carry,
		"lop3": (*decoder).lop3, "set": (*decoder).set, "setp": (*decoder).setp, "cvt": (*decoder).cvt,
		"mov": (*decoder).mov, "cvta": (*decoder).cvta, "isspacep": (*decoder).isspacep, "mapa": (*decoder).mapa, "getctarank": (*decoder).getctarank,

		"ld": (*decoder).ld, "ldu": (*decoder).ld, "st": (*decoder).st, "atom": (*decoder).atom, "red": (*decoder).atom, "cp": (*decoder).cp,
		"fence": (*decoder).fence, "membar": (*decoder).fence, "bar": (*decoder).bar, "barrier": (*decoder).bar, "mbarrier": (*decoder).mbarrier,

		"shfl": (*decoder).shfl, "vote": (*decoder).vote, "match": (*decoder).match, "redux": (*decoder).redux, "activemask": (*decoder).activemask,
		"elect": (*decoder).elect, "mma": (*decoder).mma, "wmma": (*decoder).wmma, "ldmatrix": (*decoder).ldmatrix, "stmatrix": (*decoder).ldmatrix,
		"movmatrix": (*decoder).movmatrix,

		"createpolicy": (*decoder).createPolicy,
	}
	for _, h := range hints {
		of[h.opcode] = (*decoder).hint
	}
	for _, name := range []string{"vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"} {
		of[name+"2"], of[name+"4"] = (*decoder).video, (*decoder).video
	}
	return of
}
