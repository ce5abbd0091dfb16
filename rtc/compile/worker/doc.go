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
// whose main doesn't is never started (ErrNoMain); Config.Path names another that
// does.
//
// # What is kept out
//
// A worker has no environment, none of this program's files and a process group
// of its own. Its memory, stack and processor time are bounded, it can't write to
// files, and it ends with this program. A compile in it that has to stop is stopped
// by killing the worker.
//
// It can read what this program can: a source may include any file, and its text
// can come out in the log or in what is made. Options reach NVRTC as they are. So
// this is for sources that may be bad, and not yet for those of an enemy.
//
// NVRTC looks for relative names in this program's working directory, as it does in
// this process. The variable NVRTC_APPEND_FLAGS has no effect in a worker.
//
// It works on Linux, on amd64 and arm64. Elsewhere NewPool's error matches
// errors.ErrUnsupported.
package worker
