package engine

import "github.com/purecuda/purecuda/abi/ptx"

// raceBefore emits what tells the race detector of an instruction that will be done.
func (v *watcher) raceBefore(in *ptx.Instruction, refs []reference) error {
	for _, r := range refs {
		if in.Opcode == "mbarrier" && r.kind == reads {
			continue // when it is known whether the wait is over
		}
		if err := v.raceReference(in, r); err != nil {
			return err
		}
	}
	switch in.Opcode {
	case "membar", "fence":
		if !in.Has("proxy") {
			v.d.emit(op{fn: raceFence, b: pick[int32](in.Has("cta"), 1, 0)})
		}
	case "bar", "barrier":
		return v.barrier(in, true)
	case "wmma":
		v.site()
	}
	return nil
}

// raceAfter emits what tells it of an instruction that has been done.
func (v *watcher) raceAfter(in *ptx.Instruction) error {
	switch in.Opcode {
	case "bar", "barrier":
		return v.barrier(in, false)
	case "mbarrier":
		refs := references(in)
		if len(refs) == 0 || refs[0].kind != reads {
			return nil
		}
		p, err := v.d.source(in.Operands[0], "pred")
		if err != nil {
			return err
		}
		first := len(v.d.f.code)
		if err := v.raceReference(in, refs[0]); err != nil {
			return err
		}
		for i := first; i < len(v.d.f.code); i++ { // in the lanes for which it is
			o := &v.d.f.code[i]
			o.inner, o.fn, o.guard = o.fn, guarded, p.slot
		}
	}
	return nil
}

// raceReference emits what watches an access.
func (v *watcher) raceReference(in *ptx.Instruction, r reference) error {
	if r.access.space == ptx.SpaceLocal {
		return nil
	}
	u := &raceUse{space: r.access.space, kind: r.kind, size: uint64(r.size), near: in.Has("cta"), site: v.site(),
		acquire: in.Has("acquire") || in.Has("acq_rel") || in.Opcode == "atom", release: in.Has("release") || in.Has("acq_rel")}
	if in.Opcode == "mbarrier" {
		u.near, u.release, u.acquire = true, r.kind == updates && !in.Has("relaxed"), r.kind == reads
	}
	switch {
	case r.kind == updates || u.acquire || u.release || in.Has("relaxed") || in.Has("mmio"):
		u.how = strong
	case in.Has("volatile"):
		u.how = strong | volatile
	}
	o, err := v.address(op{fn: raceAccess, ext: u}, r, 0)
	if err == nil {
		v.d.emit(o)
	}
	return err
}

// site is the number of the instruction being decoded, 0 if there are too many.
func (v *watcher) site() uint16 {
	p := v.d.l.program
	if len(p.sites) == 0 {
		p.sites, p.siteOf = []site{{}}, map[site]uint16{}
	}
	if len(p.sites) > 0xffff {
		return 0
	}
	s, n := site{v.d.f, int32(len(v.d.f.insts)) - 1}, uint16(len(p.sites))
	p.sites = append(p.sites, s)
	p.siteOf[s] = n
	return n
}

// barrier emits what tells of one that threads arrive at, or go on from.
func (v *watcher) barrier(in *ptx.Instruction, arrive bool) error {
	x, d := in.Operands, v.d
	switch {
	case in.Has("warp"):
		if len(x) != 1 {
			return nil // refused
		}
		member, err := d.source(x[0], "b32")
		d.emit(op{fn: pick(arrive, raceMeet, raceMet), a: member.slot})
		return err
	case in.Has("cluster"):
		if arrive == in.Has("arrive") {
			d.emit(op{fn: pick(arrive, raceArrive, raceCluster), ext: &raceArrival{number: d.const32(atCluster).slot, count: -1}})
		}
		return nil
	case in.Has("arrive") && !arrive:
		return nil
	case in.Has("red"):
		if len(x) < 3 {
			return nil
		}
		x = x[1 : len(x)-1]
	}
	if len(x) == 0 {
		return nil
	}
	u := &raceArrival{count: -1, wait: !in.Has("arrive")}
	number, err := d.source(x[0], "u32")
	if err != nil {
		return err
	}
	u.number = number.slot
	if len(x) > 1 {
		count, err := d.source(x[1], "u32")
		if err != nil {
			return err
		}
		u.count = count.slot
	}
	d.emit(op{fn: pick(arrive, raceArrive, racePass), ext: u})
	return nil
}

// raceCluster is told of lanes that go on from the barrier of the cluster.
func raceCluster(w *warp, o *op) {
	if r := w.race(); r != nil {
		each(w.mask, func(i int) { r.threads[32*w.index+i].acquire(r.barriers[atCluster].channel.acquired()) })
	}
}
