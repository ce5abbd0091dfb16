package engine

import "github.com/purecuda/purecuda/abi/ptx"

// A function is an entry or device function, decoded.
type function struct {
	name   string
	number uint64 // what a pointer to it holds
	source *ptx.Function
	code   []op
	insts  []instruction

	n32, n64, npred int // registers of a frame
	const32         []constant[uint32]
	const64         []constant[uint64]
	specials        []special

	local    int // bytes of the frame in local memory
	params   int // bytes a lane of the parameters, results and .param variables of device code
	shared   int // bytes of static shared memory, its callees' too
	returns  []param
	formals  []param
	calls    []*function                 // direct ones
	indirect bool                        // it calls through pointers
	own      map[*ptx.Variable]*variable // shared variables that it declares
	dynamic  int64                       // of an entry: where dynamic shared memory begins
}

// A constant is a register that holds the same value in all lanes and is never written.
type constant[T any] struct {
	slot  int32
	value T
}

// An instruction is where an operation comes from.
type instruction struct {
	*ptx.Instruction
	loc *ptx.Loc
	at  *place
}

// A param is a place in a function's parameter memory.
type param struct {
	name   string
	offset int
	size   int
}

// frame makes the registers of an activation, constants filled in.
func (f *function) frame(a *activation) {
	a.fn = f
	a.r32 = make([]lanes32, f.n32)
	a.r64 = make([]lanes64, f.n64)
	a.p = make([]uint32, f.npred)
	for _, c := range f.const32 {
		fill(&a.r32[c.slot], c.value)
	}
	for _, c := range f.const64 {
		r := &a.r64[c.slot]
		for i := range r {
			r[i] = c.value
		}
	}
	if f.params > 0 {
		a.param = make([]byte, f.params*32)
	}
}

func fill(r *lanes32, v uint32) {
	for i := range r {
		r[i] = v
	}
}
