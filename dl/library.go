package dl

// A Library is an open shared library. It is never closed: what NVIDIA's
// libraries leave behind in a process (threads, exit handlers) would then run
// code that is gone.
//
// Safe for concurrent use.
type Library struct {
	path   string
	handle uintptr
}

// Path is the file that the system's loader took.
func (l *Library) Path() string { return l.path }
