// Package child starts, limits, watches and ends child processes which nothing
// outlives: workers that compile, and executors of plugins.
//
//	p, err := child.Start(child.Config{Path: "/proc/self/exe", Env: env, Files: []*os.File{requests, replies}})
//	...
//	p.Kill()
//	<-p.Done()
//	fmt.Println(p.Exit())
//
// A child has only the environment and files that it is given. (One exception: a
// file that C code opens, without close-on-exec, in the very moment of the start.)
// It has a process group of its own: a terminal's Ctrl-C doesn't reach it, and
// Kill reaches all that it started, unless that left the group. It is killed when this process ends, in whatever way. It should
// end by itself, too, when a pipe from its parent does.
//
// It works on Linux, on amd64 and arm64, and on Windows. Elsewhere Start's error
// matches errors.ErrUnsupported.
//
// On Windows a child is in a job object, starts no processes, sees no clipboard and
// no others' windows, and ends without a dialogue. Files can't be kept from it there.
package child
