// Package worker compiles in child processes. A compile there can crash, hang or
// ask for all memory, and the program that asked for it goes on.
//
//	func main() {
//		worker.Main() // first of all: in a worker it doesn't return
//		...
//		pool, err := worker.NewPool(worker.Config{})
//		service := compile.NewService(compile.Config{Runner: pool, Timeout: 5 * time.Second})
//		defer service.Close() // and the pool
//
// Workers are this program, executed again: its main must call Main. A program
// whose main doesn't is never executed again; its workers are the command purecuda,
// of the same version, if that is found in the PATH, or what Config.Path names, or
// there are none (ErrNoMain). One that has not come to Main ten seconds after its
// start is no worker: it is killed, and the error says so.
//
// # What is kept out
//
// A worker has no environment, none of this program's files and a process group
// of its own. Its memory, stack and processor time are bounded, it can't write to
// files, and it ends with this program. A compile in it that has to stop is stopped
// by killing the worker. What comes out of it is checked: that it is what was asked
// for, that it has the exports, and how large it is.
//
// Beyond that there are the walls of package jail. Where the kernel has Landlock a
// source can read what belongs to NVRTC, its headers above all, and Config.Read,
// and no other file, whatever way it has of naming them. Nor do the messages tell it
// whether there is one: they are those of a file that doesn't exist. Code that took
// over a worker can find out whether a file exists, how large it is and whose, since
// Landlock lets all names be looked up, and nothing of what it holds. Where there is seccomp, such code
// has no new processes and programs, no sockets and no other process to reach. With namespaces
// it is nobody, on a machine of its own. Pool.Walls says what there is, and
// Config.Isolation what there must be.
//
// What a worker that was taken over answers, to later requests too, is held against these, but
// which code an image has can't be seen: where the authors of sources don't trust each other
// Config.Jobs is 1, so that each has a worker of its own. One that stops and takes no processor
// time is bounded by the context alone: give a Service of such sources a Timeout.
//
// Where there is seccomp and no Landlock a worker can open nothing any more. The same
// headers go along with a source then, in memory (compile.Enclose): those that its
// text names. One that is included by a macro doesn't. Where there is neither, the
// text of a source is looked at first (compile.Confine), which is less.
//
// NVRTC looks for relative names in this program's working directory, as it does in
// this process. The variable NVRTC_APPEND_FLAGS has no effect in a worker.
//
// It works on Linux, on amd64 and arm64, and on Windows, on amd64. Elsewhere NewPool's
// error matches errors.ErrUnsupported.
//
// On Windows a worker is in a job object, which bounds its memory and processor time,
// has it start no process and ends it with this program. There are no walls: files
// are kept from it by the look at sources and by the list of safe options alone, it
// can write to files, and open sockets. NVRTC compiles on a thread with a stack of 64
// MiB, whatever Config.Stack says. This was run under Wine with a stand-in for NVRTC,
// and not yet on Windows: that limits of memory and time are held has been seen on
// Linux only.
package worker
