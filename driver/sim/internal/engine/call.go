package engine

// returnTo leaves a device function: the running lanes go on in its caller.
func (w *warp) returnTo() {
	a := w.act
	a.parent.users++
	f := fragment{a.parent, a.ret, w.mask}
	a.leave(w)
	w.enter(f)
	w.turn()
}
