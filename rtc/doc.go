// Package rtc compiles CUDA C++ at run time and launches its kernels: what
// MXNet's mx.rtc does for Python, for Go and without cgo. The program needs no
// CUDA toolkit to be built; on the machine where it runs it finds NVRTC and the
// driver, asks how old they are, and uses what they can do.
//
//	const source = `
//	extern "C" __global__ void axpy(const float *x, float *y, float alpha) {
//		int i = threadIdx.x + blockIdx.x * blockDim.x;
//		y[i] += alpha * x[i];
//	}`
//
//	dev, err := rtc.Open(0)
//	defer dev.Close() // and everything made from it
//
//	mod, err := rtc.NewModule(source, rtc.ModuleConfig{})
//	defer mod.Close()
//	axpy, err := mod.Kernel("axpy", "const float *x, float *y, float alpha")
//
//	x, err := rtc.Ones[float32](dev, 10)
//	y, err := rtc.Zeros[float32](dev, 10)
//	err = axpy.Launch(dev, rtc.Dim(1), rtc.Dim(10), 0, x, y, 3.0)
//	out, err := rtc.ToSlice[float32](y) // ten times 3
//
// # Modules and kernels
//
// A [Module] is compiled source. It belongs to no device: it is compiled when it
// is made, so that mistakes show there, loaded on a device when a kernel first
// runs on it, and compiled once more for each other architecture that it is
// wanted for. [ModuleConfig] has the compiler's options, headers in memory, and
// the Exports: templates and other C++ names ("axpy<float>"), from CUDA 8.0.
// Machine code is made from CUDA 11.1, PTX before and where the device is newer
// than the compiler. [LoadModule] takes PTX, a cubin or a fatbin made elsewhere
// and needs no compiler.
//
// What was compiled is kept, in memory and in the user's cache folder, and is
// found there when the same is wanted again, by this process or another: source,
// options, headers, NVRTC and all else that counts being the same. Package
// rtc/compile does that; [ModuleConfig].Service has its queue, limits and places
// to keep things at be others, and the variable PURECUDA_CACHE another folder, an
// absolute one, or "off". A folder that can't be used stops nothing, and is told once
// in a process, by slog.Default.
//
// A [Kernel] has a signature: given as C text, or read from the name of an
// export. It is held against the compiled kernel, and arguments are held against
// it, before anything is launched: a wrong count, a number for a pointer, a
// float64 array for float *, a value that does not fit are errors that name the
// argument. So are sizes that the device does not have.
//
// # Launching
//
// [Kernel.Launch] returns when the kernel has finished, [Kernel.Enqueue] when it
// is in the stream's queue. [Kernel.Prepare] checks and packs once what is
// launched often: the launches of a [Prepared] allocate nothing. [Kernel.With]
// adds what launches can ask for beside their sizes: cooperative launches,
// clusters, priority.
//
// # Ordering
//
// A device has a [Stream], and its work runs in the order in which it was
// given: launches, copies and fills see the results of all before them, by
// whatever goroutine they were made. [Device.NewStream] makes further ones.
// Work on two streams may overlap, unless both use an array and one of them
// writes it: const in a kernel's signature tells what is read and what is
// written, and whatever depends on something is made to wait for just that, as
// in MXNet's engine. So a program gives the same results with any number of
// streams. What the package cannot see it does not order: addresses that are
// given as [abi.Addr] or inside a struct, and variables of a module that a
// kernel uses by their names.
//
// ToSlice, CopyFromSlice and Launch wait until they are done, and with several
// streams only for what they depend on; [Stream.Synchronize] waits for all that
// the stream was given, [Device.Synchronize] for that of all of them.
// [Stream.Copy] does not wait: it copies between arrays, to and from a
// [HostBuffer], and from Go's memory as a [Slice].
//
// # Lifetimes
//
// Whatever has a Close is closed by whoever made it. Closing a [Device] closes
// its arrays, unloads modules from it and gives the device back. Close waits for
// the work that uses what is closed, so an [Array] can be closed as soon as the
// launches that need it are enqueued; it may be called again, on nil, and from
// several goroutines. Use afterwards gives an error that matches [ErrClosed].
// An endless kernel makes Close wait without end: see [Device.Close].
// [Device.Scope] frees what is made in a function at its end. With
// [OpenConfig].AutoFree what became unreachable is freed as well;
// [OpenConfig].Leaked names what was not closed and where it was made.
//
// # Errors
//
// Errors say what was done, to what, and why not, in the names that the program
// gave. Those to branch on: [ErrNoDevice], where there is no GPU; [ErrClosed];
// *nvrtc.CompileError, with the compiler's diagnostics; *abi.ArgumentError,
// *abi.CountError and *abi.LayoutError; *driver.Error, which matches its code
// (errors.Is(err, driver.OutOfMemory)); errors.ErrUnsupported, where the CUDA
// in use is too old for what was asked.
//
// A fault of a kernel, such as an illegal address, costs the process its GPU
// for good: CUDA has no way back. Every later call then fails with an error
// that has the first cause and the kernel, and [Device.Health] tells. Only a
// new process can go on.
//
// # Concurrency
//
// Everything can be used from any number of goroutines at once. A wait by
// Launch holds an OS thread; the waits of all callers of LaunchContext and
// Synchronize whose context can end share one for each device, whatever the
// number of streams, and so do other waits, once more of them hold a thread than
// can run at once. A context ends the waiting and,
// from CUDA 12.8, a compile; what the GPU has begun goes on.
//
// # Legacy
//
// [Rtc] is MXNet's older interface, where only the body of a kernel is written.
package rtc
