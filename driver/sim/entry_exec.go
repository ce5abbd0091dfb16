package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func execEntries() map[string]entry {
	return map[string]entry{
		"cuGraphInstantiate":                {bound, graphInstantiate},
		"cuGraphInstantiateWithFlags":       {bound, graphInstantiateWithFlags},
		"cuGraphExecKernelNodeSetParams":    {process, graphExecKernelNodeSetParams},
		"cuGraphExecKernelNodeSetParams_v2": {process, graphExecKernelNodeSetParams},
		"cuGraphExecUpdate":                 {process, graphExecUpdateOld},
		"cuGraphExecUpdate_v2":              {process, graphExecUpdate},
		"cuGraphNodeSetEnabled":             {process, graphNodeSetEnabled},
		"cuGraphUpload":                     {process, graphUpload},
		"cuGraphLaunch":                     {process, graphLaunch},
		"cuGraphExecDestroy":                {facts, graphExecDestroy},
	}
}

func graphInstantiateWithFlags(d *Driver, ctx *context, a []uintptr) driver.Result {
	const known = 0xf // CUgraphInstantiate_flags
	if a[2]&^known != 0 {
		return driver.InvalidValue
	}
	return graphInstantiate(d, ctx, a)
}

func graphInstantiate(d *Driver, ctx *context, a []uintptr) driver.Result {
	g := d.graphs[a[1]]
	switch {
	case g == nil:
		return driver.InvalidValue
	case a[0] == 0:
		return driver.InvalidValue
	}
	if g.ctx != nil {
		ctx = g.ctx
	}
	callee.Put(a[0], put(d, d.execs, &exec{ctx: ctx, work: g.copyOf(d)}))
	return driver.Success
}

func graphExecKernelNodeSetParams(d *Driver, _ *context, a []uintptr) driver.Result {
	x := d.execs[a[0]]
	switch {
	case x == nil:
		return driver.InvalidValue
	case a[2] == 0:
		return driver.InvalidValue
	}
	w, r := callee.At[kernelNodeParams](a[2]).work(d, x.ctx)
	if r != driver.Success {
		return r
	}
	return x.changed(d, a[1], func(n *node) driver.Result {
		old, ok := n.work.(*kernelWork)
		if !ok || w.f.m.ctx != old.f.m.ctx {
			return driver.InvalidValue
		}
		w.launch.Cooperative = old.launch.Cooperative
		n.work = w
		return driver.Success
	})
}

func graphExecUpdateOld(d *Driver, _ *context, a []uintptr) driver.Result {
	x, g := d.execs[a[0]], d.graphs[a[1]]
	if x == nil || g == nil {
		return driver.InvalidValue
	}
	why, at := x.update(d, g)
	callee.Put(a[2], at)
	callee.Put(a[3], why)
	return updated(why)
}

// updateResultInfo is a CUgraphExecUpdateResultInfo.
type updateResultInfo struct {
	result int32
	node   uintptr
	_      uintptr // the node that it was reached from
}

func graphExecUpdate(d *Driver, _ *context, a []uintptr) driver.Result {
	x, g := d.execs[a[0]], d.graphs[a[1]]
	if x == nil || g == nil {
		return driver.InvalidValue
	}
	why, at := x.update(d, g)
	callee.Put(a[2], updateResultInfo{result: why, node: at})
	return updated(why)
}

func updated(why int32) driver.Result {
	if why != 0 {
		return driver.GraphExecUpdateFailure
	}
	return driver.Success
}

func graphNodeSetEnabled(d *Driver, _ *context, a []uintptr) driver.Result {
	x := d.execs[a[0]]
	if x == nil {
		return driver.InvalidValue
	}
	return x.changed(d, a[1], func(n *node) driver.Result {
		switch n.work.kind() {
		case driver.KernelNode, driver.CopyNode, driver.MemsetNode:
			n.off = uint32(a[2]) == 0
			return driver.Success
		}
		return driver.InvalidValue
	})
}

func graphUpload(d *Driver, _ *context, a []uintptr) driver.Result {
	if d.execs[a[0]] == nil {
		return driver.InvalidValue
	}
	_, r := d.stream(a[1])
	return r
}

func graphLaunch(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[1])
	if r != driver.Success {
		return r
	}
	x := d.execs[a[0]]
	if x == nil {
		return driver.InvalidValue
	}
	return x.launch(d, s)
}

// graphExecDestroy returns at once: a run that is enqueued still runs.
func graphExecDestroy(d *Driver, _ *context, a []uintptr) driver.Result {
	if d.execs[a[0]] == nil {
		return driver.InvalidValue
	}
	delete(d.execs, a[0])
	return driver.Success
}
