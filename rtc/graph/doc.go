// Package graph runs kernels, copies and other work of a device as a whole,
// what does not depend on each other at the same time.
//
// A [Graph] has nodes: kernels, copies, fills, functions of the host, events,
// empty ones. What must come before what follows from what they read and write,
// which const in a kernel's signature tells, in the order in which they were
// added; [Node.After] adds to that.
//
// # Plans
//
// A [Plan] is what follows from the nodes, as pure data, with no device in
// sight: the order, the critical path, a stream for each node, and the fewest
// events between streams. [NewPlan] makes one from any list of [Task], in time
// that is linear in the tasks and in what they use. It draws itself:
// [Plan.DOT], [Plan.Mermaid], [Plan.SVG].
package graph
