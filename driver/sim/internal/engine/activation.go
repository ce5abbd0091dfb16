package engine

// An activation is a call that is under way: the registers of a function, for the lanes of a warp that came by the same
// chain of calls. Lanes that parted in a function share its activation, since no lane looks at another's registers.
type activation struct {
	fn     *function
	parent *activation
	site   *op   // the call, nil for the entry
	ret    int32 // where the caller goes on
	depth  int32
	users  int // fragments and activations that refer to it

	r32   []lanes32
	r64   []lanes64
	p     []uint32
	local int    // begin of its frame in the local memory of each lane
	param []byte // parameters and results, lane after lane
}

// leave gives up one reference. What nobody refers to is kept for the next call of its function.
func (a *activation) leave(w *warp) {
	for a != nil {
		a.users--
		if a.users > 0 || a.parent == nil {
			return
		}
		parent := a.parent
		a.parent = nil
		w.free = append(w.free, a)
		a = parent
	}
}
