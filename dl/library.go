package dl

// A Library is an open shared library. It is never closed: what NVIDIA's
// libraries leave behind in a process (threads, exit handlers) would then run
// code that is gone.
//
// Safe for concurrent use.
type Library struct {
	path    string
	handle  uintptr
	source  Source
	from    string
	beside  []string
	refused []Attempt
}

// Path is the file that the system's loader took, absolute where the platform
// can tell. It may be a symbolic link.
func (l *Library) Path() string { return l.path }

// RealPath is Path with symbolic links resolved: the file whose name has the
// whole version, in the folder where its companions lie.
func (l *Library) RealPath() string { return realPath(l.path) }

// Source is the step of the search that found the library.
func (l *Library) Source() Source { return l.source }

// From is the environment variable that led to the library, or "".
func (l *Library) From() string { return l.from }

// Beside lists the libraries that were opened with this one because it will
// look for them by a bare name, which need not find its own: NVRTC's builtins.
// The caller must not change the list.
func (l *Library) Beside() []string { return l.beside }

// Refused lists what the search came across and passed over before this
// library, and companions that could not be opened. The caller must not change
// the list.
func (l *Library) Refused() []Attempt { return l.refused }
