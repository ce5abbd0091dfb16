// Package driver is the CUDA driver API in Go types: devices, contexts, modules,
// functions, streams, events, memory, launches and graphs. It holds no policy: what is
// compiled, when a module is loaded and what waits for what is decided above.
// FUNCTIONS.md lists the C functions, and the CUDA version that brought each; one that the
// driver in use lacks gives an [UnsupportedError], and takes nothing else away.
//
// # Threads
//
// Any goroutine may use any object. CUDA's current context belongs to the OS
// thread; calls that need one bind it for the call (see [Context.Do]), and those
// that name a stream do without. The null stream is never used. A call that waits
// holds an OS thread; nothing here waits in the background.
//
// # Launches
//
// [Function.Prepare] checks a launch against the limits of the device and of the
// kernel, so that its error names the axis and the limit where the driver would
// say "invalid value". [Launch.Enqueue] then costs little more than the call of the C function.
//
// # Errors
//
// A call that was refused gives an [*Error], which matches its [Result]:
// errors.Is(err, driver.OutOfMemory). Some faults of a kernel take the GPU from the whole process
// ([Error.Fatal], [Fault]): the first is remembered with the kernels that can have done it,
// every later call fails at once and tells it, and Close does no harm.
//
// # Lifetimes
//
// What was made is closed by its Close, or by that of the [Context] it was made
// in. Close waits for calls under way, and for the launches of a module that is
// unloaded. [Driver.Counts] says what is left.
//
// Package drivertest has a driver for tests, package jitlink the linker that
// needs no driver.
package driver
