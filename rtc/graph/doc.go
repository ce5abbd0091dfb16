// Package graph runs kernels, copies and other work of a device as a whole,
// what does not depend on each other at the same time.
//
//	g := graph.New(dev)
//	a, err := g.Kernel(ramp, grid, block, 0, x)          // writes x
//	b, err := g.Kernel(scale, grid, block, 0, x, y, 2.0) // reads x, writes y: after a
//	d, err := g.Kernel(scale, grid, block, 0, x, w, 3.0) // reads x, writes w: after a, beside b
//	err = g.Run(ctx)
//
// A [Graph] has nodes: kernels, copies, fills, functions of the host, events,
// empty ones. What must come before what follows from what they read and write,
// which const in a kernel's signature tells, in the order in which they were
// added; [Node.After] adds to that, and NodeConfig.Unordered takes a node out of
// it. Arguments are checked when a node is added.
//
// # Plans
//
// A [Plan] is what follows from the nodes, as pure data, with no device in
// sight: the order, the critical path, a stream for each node, and the fewest
// events between streams. What follows each other goes on in one stream, the
// critical path first; a node that depends on nothing there gets a stream of its
// own as long as there are any. An event is needed only where neither a stream's
// own order nor another event tells already; no plan for these streams has fewer
// that does not have something wait without need.
//
// [NewPlan] makes one from any list of [Task]. It takes about a microsecond a
// node, a tenth of a second for 100,000, and time in proportion to nodes, to what
// they use, and to streams. Plans draw themselves: [Plan.DOT], [Plan.Mermaid],
// [Plan.SVG].
//
// # Running
//
// [Graph.Run] and [Graph.Enqueue] run the graph over streams of its own.
// [Graph.Instantiate] makes a CUDA graph, which a single call runs again and
// again: [Exec.Launch]. [Node.SetArg] changes an argument of a kernel in both, in
// place. Each run takes its place among all other work of the device like one
// launch that reads and writes what all nodes do, and like that it holds arrays
// back from being freed. Runs of one graph do not overlap.
//
// [Graph.Trace] measures a run, for a picture, for a file that Perfetto shows,
// and for the plans to come.
//
// # Several devices
//
// [Graph.KernelOn] launches on another device of the same driver; fills and copies
// go where their arrays are, and [Graph.Copy] from one device to another too. Each
// device has streams of its own in the plan, events order work across them, and in
// a CUDA graph nodes of several devices stand beside each other; where a copy is
// between devices that don't reach each other's memory, an [Exec] is none and runs
// go over streams. A run is put into a stream of the graph's own device, and is
// ordered with the other work of all of them.
//
// # Errors
//
// A [CycleError] has the nodes of a cycle, a [RaceError] two nodes that write the
// same bytes in no order, a [PanicError] a function of the host that panicked in a
// run. Other errors begin with the node that they are about.
// After a failure in the midst of a run over streams what was given before still
// runs, and is waited for as ever.
package graph
