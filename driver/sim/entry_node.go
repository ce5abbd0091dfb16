package sim

import (
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func nodeEntries() map[string]entry {
	return map[string]entry{
		"cuGraphAddKernelNode":          {process, graphAddKernelNode},
		"cuGraphAddKernelNode_v2":       {process, graphAddKernelNode},
		"cuGraphKernelNodeGetParams":    {process, graphKernelNodeGetParams},
		"cuGraphKernelNodeGetParams_v2": {process, graphKernelNodeGetParams},
		"cuGraphKernelNodeSetAttribute": {process, graphKernelNodeSetAttribute},
		"cuGraphAddMemcpyNode":          {process, graphAddMemcpyNode},
		"cuGraphAddMemsetNode":          {process, graphAddMemsetNode},
		"cuGraphAddHostNode":            {process, graphAddHostNode},
		"cuGraphAddEmptyNode":           unlessNull(nothing, 1, driver.InvalidValue, facts, graphAddEmptyNode),
		"cuGraphAddChildGraphNode":      {process, graphAddChildGraphNode},
		"cuGraphAddEventRecordNode":     {process, graphAddEventRecordNode},
		"cuGraphAddEventWaitNode":       {process, graphAddEventWaitNode},
	}
}

// kernelNodeParams is a CUDA_KERNEL_NODE_PARAMS.
type kernelNodeParams struct {
	function    uintptr
	grid, block [3]uint32
	shared      uint32
	params      uintptr
	extra       uintptr
}

// work is the launch that the parameters ask for.
func (p *kernelNodeParams) work(d *Driver, ctx *context) (*kernelWork, driver.Result) {
	f, r := d.function(p.function, ctx)
	if r != driver.Success {
		return nil, r
	}
	return d.kernelWork(f, launch{grid: p.grid, block: p.block, shared: p.shared}, p.params, p.extra)
}

func graphAddKernelNode(d *Driver, _ *context, a []uintptr) driver.Result {
	g := d.graphs[a[1]]
	switch {
	case g == nil:
		return driver.InvalidValue
	case a[4] == 0:
		return driver.InvalidValue
	}
	w, r := callee.At[kernelNodeParams](a[4]).work(d, g.ctx)
	if r != driver.Success {
		return r
	}
	return d.addTo(a, w)
}

func graphKernelNodeGetParams(d *Driver, _ *context, a []uintptr) driver.Result {
	n := d.nodes[a[0]]
	if n == nil || a[1] == 0 {
		return driver.InvalidValue
	}
	w, ok := n.work.(*kernelWork)
	if !ok {
		return driver.InvalidValue
	}
	p, l := callee.At[kernelNodeParams](a[1]), &w.launch
	p.function = w.f.m.functions[w.f.k.Name]
	p.grid, p.block, p.shared, p.params, p.extra = l.Grid, l.Block, uint32(l.Shared), w.places(), 0
	return driver.Success
}

// places is the address of the addresses of the arguments' values, which are the node's.
func (w *kernelWork) places() uintptr {
	params := w.f.k.Params
	if len(params) == 0 {
		return 0
	}
	if w.at == nil {
		for i := range params {
			w.at = append(w.at, callee.Address(&w.launch.Params[params[i].Offset]))
		}
	}
	return callee.Address(&w.at[0])
}

// graphKernelNodeSetAttribute replaces the node's work: graphs that were made ready go on with the old one.
func graphKernelNodeSetAttribute(d *Driver, _ *context, a []uintptr) driver.Result {
	n := d.nodes[a[0]]
	if n == nil || a[2] == 0 {
		return driver.InvalidValue
	}
	w, ok := n.work.(*kernelWork)
	if !ok {
		return driver.InvalidValue
	}
	if uint32(a[1]) >= attributes {
		return driver.InvalidValue
	}
	l := launch{grid: w.launch.Grid, block: w.launch.Block, shared: uint32(w.launch.Shared), cooperative: w.launch.Cooperative}
	l.set(uint32(a[1]), callee.At[[16]uint32](a[2]))
	if r := w.f.allowed(&l); r != driver.Success {
		return r
	}
	changed := &kernelWork{f: w.f, launch: w.launch, config: w.config}
	changed.launch.Cooperative = l.cooperative
	n.work = changed
	return driver.Success
}

// memcpy3D is a CUDA_MEMCPY3D.
type memcpy3D struct {
	src          memcpyEnd
	dst          memcpyEnd
	width        uint64 // bytes
	height, deep uint64
}

type memcpyEnd struct {
	x, y, z uint64
	_       uint64 // level of detail
	kind    uint32
	host    uintptr
	device  uint64
	_       [2]uintptr // array, reserved
	_       [2]uint64  // pitch, height
}

// place is where a copy of one row begins or ends.
func (e *memcpyEnd) place(n uint64) (place, driver.Result) {
	const host, device, array, unified = 1, 2, 3, 4 // CU_MEMORYTYPE_…
	if e.y != 0 || e.z != 0 || e.kind == array {
		return place{}, driver.NotSupported
	}
	switch e.kind {
	case host:
		if e.host == 0 {
			return place{}, driver.InvalidValue
		}
		return place{host: dl.Memory(e.host+uintptr(e.x), int(n))}, driver.Success
	case device, unified:
		return place{at: e.device + e.x}, driver.Success
	}
	return place{}, driver.InvalidValue
}

// graphAddMemcpyNode adds copies of one row; others are not built.
func graphAddMemcpyNode(d *Driver, _ *context, a []uintptr) driver.Result {
	if d.graphs[a[1]] == nil {
		return driver.InvalidValue
	}
	if a[4] == 0 {
		return driver.InvalidValue
	}
	p := callee.At[memcpy3D](a[4])
	switch {
	case p.width == 0 || p.height == 0 || p.deep == 0:
		return driver.InvalidValue
	case p.height > 1 || p.deep > 1:
		return driver.NotSupported
	}
	w := &copyWork{d: d, n: p.width, speed: deviceSpeed}
	var r driver.Result
	if w.from, r = p.src.place(p.width); r != driver.Success {
		return r
	}
	if w.to, r = p.dst.place(p.width); r != driver.Success {
		return r
	}
	for _, end := range []place{w.from, w.to} {
		if end.host != nil {
			w.speed = pagedSpeed
		} else if !d.reaches(end.at, p.width) {
			return driver.InvalidValue
		}
	}
	return d.addTo(a, w)
}

// memsetNodeParams is a CUDA_MEMSET_NODE_PARAMS.
type memsetNodeParams struct {
	dst                uint64
	pitch              uint64
	value, elementSize uint32
	width, height      uint64
}

func graphAddMemsetNode(d *Driver, _ *context, a []uintptr) driver.Result {
	if a[4] == 0 {
		return driver.InvalidValue
	}
	p := callee.At[memsetNodeParams](a[4])
	w := &fillWork{d: d, to: p.dst, value: p.value, size: uint64(p.elementSize), width: p.width, height: p.height, pitch: p.pitch}
	if p.width == 0 || !w.allowed() {
		return driver.InvalidValue
	}
	return d.addTo(a, w)
}

// hostNodeParams is a CUDA_HOST_NODE_PARAMS.
type hostNodeParams struct{ callback, data uintptr }

func graphAddHostNode(d *Driver, _ *context, a []uintptr) driver.Result {
	if a[4] == 0 {
		return driver.InvalidValue
	}
	p := callee.At[hostNodeParams](a[4])
	if p.callback == 0 {
		return driver.InvalidValue
	}
	return d.addTo(a, &hostWork{p.callback, p.data})
}

func graphAddEmptyNode(d *Driver, _ *context, a []uintptr) driver.Result {
	return d.addTo(a, emptyWork{})
}

func graphAddChildGraphNode(d *Driver, _ *context, a []uintptr) driver.Result {
	child := d.graphs[a[4]]
	if child == nil {
		return driver.InvalidValue
	}
	return d.addTo(a, child.copyOf(d))
}

func graphAddEventRecordNode(d *Driver, _ *context, a []uintptr) driver.Result {
	e := d.events[a[4]]
	if e == nil {
		return driver.InvalidValue
	}
	return d.addTo(a, &recordWork{d, e})
}

func graphAddEventWaitNode(d *Driver, _ *context, a []uintptr) driver.Result {
	e := d.events[a[4]]
	if e == nil {
		return driver.InvalidValue
	}
	return d.addTo(a, &waitWork{e: e})
}
