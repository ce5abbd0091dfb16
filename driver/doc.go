// Package driver is the CUDA driver API in Go types: devices, contexts, modules,
// functions, streams, events, memory and launches. It holds no policy: what is
// compiled, when a module is loaded and what waits for what is decided above.
//
// Any goroutine may use any object. CUDA's current context belongs to the OS
// thread; calls that need one bind it for the call (see [Context.Do]), and those
// that name a stream do without. The null stream is never used.
package driver
