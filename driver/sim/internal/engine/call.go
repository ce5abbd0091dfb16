package engine

import (
	"fmt"
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A callSite is what a call hands over: places in the parameter memory of the caller.
type callSite struct {
	target  *function // nil of a call through a pointer
	system  *system   // of a call of one of the device's own functions
	args    []param
	results []param
}

// call decodes call{.uni} (result), target, (arguments){, prototype}.
func (d *decoder) call(in *ptx.Instruction) error {
	c, ok := in.Call()
	if !ok {
		return d.unsupported()
	}
	s := &callSite{}
	var err error
	if s.args, err = d.handed(c.Args); err != nil {
		return err
	}
	if s.results, err = d.handed(c.Return); err != nil {
		return err
	}
	t, direct := c.Target.(*ptx.Symbol)
	if !direct {
		r, err := d.source(c.Target, "b64")
		if err != nil {
			return err
		}
		d.emit(op{fn: callPointer, a: r.slot, ext: s})
		return nil
	}
	f := d.l.functions[t.Name]
	switch {
	case f == nil:
		return d.errorf("%s is not declared", t.Name)
	case f.source.Entry:
		return d.errorf("%s is a kernel", t.Name)
	case f.source.Body == nil:
		if s.system = systemOf(t.Name); s.system == nil {
			return &UnsupportedError{What: "call of undefined function " + t.Name, Source: d.l.program.place(d.loc), Line: in.Line}
		}
		if len(s.args) != s.system.args || len(s.results) > 1 {
			return d.errorf("%d arguments for %s, which takes %d", len(s.args), t.Name, s.system.args)
		}
		d.emit(op{fn: callSystem, ext: s})
		return nil
	}
	if len(f.source.Params) != len(s.args) || len(f.source.Return) != len(s.results) && len(s.results) > 0 {
		return d.errorf("%d arguments and %d results for %s, which has %d and %d", len(s.args), len(s.results), t.Name, len(f.source.Params), len(f.source.Return))
	}
	s.target = f
	d.emit(op{fn: callDirect, ext: s})
	return nil
}

// handed lists the .param variables of a call.
func (d *decoder) handed(list []ptx.Operand) ([]param, error) {
	var all []param
	for _, x := range list {
		s, ok := x.(*ptx.Symbol)
		var v *variable
		if ok {
			v = d.find(s.Name)
		}
		if v == nil || v.space != ptx.SpaceParam {
			return nil, d.errorf("%s is no variable in .param", x)
		}
		all = append(all, param{v.name, int(v.offset), int(v.size)})
	}
	return all, nil
}

func callDirect(w *warp, o *op) {
	s := o.ext.(*callSite)
	w.invoke(o, s, s.target)
}

// callPointer calls what each lane's pointer holds; lanes with different ones part.
func callPointer(w *warp, o *op) {
	as := &w.r64[o.a]
	lane := bits.TrailingZeros32(w.mask) & 31
	same := uint32(0)
	each(w.mask, func(i int) {
		if as[i] == as[lane] {
			same |= 1 << i
		}
	})
	functions := w.block.grid.launch.Kernel.program.functions
	n := (as[lane] - functionBase) / 16
	if as[lane] < functionBase || as[lane]%16 != 0 || n >= uint64(len(functions)) || functions[n].source.Body == nil || functions[n].source.Entry {
		w.fail(o, lane, InvalidPC, fmt.Sprintf("%#x is no function", as[lane]))
		return
	}
	s, f := o.ext.(*callSite), functions[n]
	if len(f.formals) != len(s.args) || len(f.returns) != len(s.results) && len(s.results) > 0 {
		w.fail(o, lane, InvalidPC, fmt.Sprintf("a call with %d arguments and %d results of %s, which has %d and %d", len(s.args), len(s.results), f.name, len(f.formals), len(f.returns)))
		return
	}
	if rest := w.mask &^ same; rest != 0 {
		w.fork(rest, w.pc-1)
	}
	w.invoke(o, s, f)
}

// invoke runs f in the running lanes.
func (w *warp) invoke(o *op, s *callSite, f *function) {
	caller := w.act
	a := w.joinable(caller, o, f)
	if a == nil {
		a = w.activation(f)
		a.parent, a.site, a.ret, a.depth, a.users = caller, o, w.pc, caller.depth+1, 1
		a.local = int(roundUp(int64(caller.local+caller.fn.local)+16, 16))
		need, limit := a.local+f.local, w.block.grid.config.Stack
		if limit == 0 {
			limit = 64 << 10
		}
		if need > limit {
			w.fail(o, -1, StackOverflow, fmt.Sprintf("%d calls deep, %d bytes of local memory: the limit is %d", a.depth, need, limit))
			return
		}
		w.reserve(need)
		w.special(a, true)
	} else { // the fragment leaves the caller, to which the activation refers already
		a.users++
		caller.users--
	}
	for j := range s.args {
		from, to := s.args[j], f.formals[j]
		copyParams(w.mask, a, to.offset, caller, from.offset, min(from.size, to.size))
	}
	w.enter(fragment{a, 0, w.mask})
	w.turn()
}

// copyParams copies a value of each lane from one activation's parameter memory to another's.
func copyParams(mask uint32, to *activation, at int, from *activation, off, size int) {
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		copy(to.param[i*to.fn.params+at:][:size], from.param[i*from.fn.params+off:][:size])
	}
}

// joinable is the activation that lanes which made the same call before are in, so that all can go on together.
func (w *warp) joinable(caller *activation, o *op, f *function) *activation {
	find := func(a *activation) *activation {
		for ; a != nil && a.depth > caller.depth; a = a.parent {
			if a.parent == caller && a.site == o && a.fn == f {
				return a
			}
		}
		return nil
	}
	for i := range w.ready {
		if a := find(w.ready[i].act); a != nil {
			return a
		}
	}
	for i := range w.parked {
		if a := find(w.parked[i].act); a != nil {
			return a
		}
	}
	return nil
}

// activation takes one of f that is free, or makes one.
func (w *warp) activation(f *function) *activation {
	for i := len(w.free) - 1; i >= 0; i-- {
		if a := w.free[i]; a.fn == f {
			w.free = append(w.free[:i], w.free[i+1:]...)
			return a
		}
	}
	a := &activation{}
	f.frame(a)
	return a
}

// returnTo leaves a device function: the running lanes go on in its caller, with the results.
func (w *warp) returnTo() {
	a := w.act
	parent := a.parent
	s := a.site.ext.(*callSite)
	for j := range s.results {
		from, to := a.fn.returns[j], s.results[j]
		copyParams(w.mask, parent, to.offset, a, from.offset, min(from.size, to.size))
	}
	parent.users++
	f := fragment{parent, a.ret, w.mask}
	a.leave(w)
	w.enter(f)
	w.turn()
}
