// Package jail is what a process of ours does to itself, so that code which takes
// it over can do no harm.
//
// A process that is to run something dangerous begins so, in this order:
//
//	runtime.LockOSThread()
//	err := jail.Landlock(append(jail.SystemFiles(), folders...)...) // what it may read from now on
//	err = syscall.Exec("/proc/self/exe", os.Args, environment)      // for all of its threads
//
// and, executed again:
//
//	compiler, err := nvrtc.Open(…) // all libraries are loaded, also those that the first use loads
//	warmUp(compiler)
//	err = jail.Seccomp(jail.Filter{Open: true}) // all threads, at once
//
// # What stops what
//
// Landlock belongs to a thread and to what comes from it, and Go's other threads
// don't. Therefore the process executes itself: what follows has one origin. Then
// no thread can open a file that isn't listed, and none can be written, made,
// removed or executed; it has no TCP, no abstract sockets, no signals to processes
// other than its own, as far as the kernel's Landlock knows of these. It has no
// capabilities either, as root too. Other networks, multipath TCP and UDP among them,
// Landlock doesn't know.
//
// Seccomp leaves a list of system calls: those that Go, the C library and a
// compiler need that has compiled once. There is no new process, no program, no
// executable memory, no socket, nothing of another process, no name of a file but
// to read it. It covers what Landlock doesn't know, and more of the kernel is out
// of reach of what took over the process. Other processes can't look into it.
//
// [Namespaces] are for the parent to give. They keep networks, processes and
// shared memory of the machine out of sight, also where the kernel has no Landlock.
//
// # What stays
//
// Files that are open stay open: a process should have none but those it needs.
// Whether a file exists, and how large it is, can be asked if files may be opened.
// Time, memory and processor are for limits (package child), as what the process
// writes to its pipes is for who reads them. The number of threads nothing bounds
// but those.
//
// It works on Linux, on amd64 and arm64. Elsewhere the errors match
// errors.ErrUnsupported, as they do where the kernel lacks a wall.
package jail
