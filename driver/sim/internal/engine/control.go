package engine

// join stands at each label.
func join(w *warp, o *op) { w.turn() }

// bra goes to o.imm.
func bra(w *warp, o *op) { w.pc = int32(o.imm) }

// braIf goes to o.imm in the lanes whose predicate says so.
func braIf(w *warp, o *op) {
	taken := w.mask & (w.p[o.guard] ^ o.not)
	switch taken {
	case w.mask:
		w.pc = int32(o.imm)
		return
	case 0:
		if len(w.ready) > 0 {
			w.turn()
		}
		return
	}
	w.fork(taken, int32(o.imm))
	w.turn()
}

// ret leaves a function, or ends the lanes of an entry.
func ret(w *warp, o *op) {
	if w.act.parent == nil {
		w.exit()
		return
	}
	w.returnTo()
}

// exit ends the lanes wherever they are.
func exit(w *warp, o *op) { w.exit() }

func nop(w *warp, o *op) {}
