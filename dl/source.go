package dl

// A Source is the step of the search that found a library.
type Source string

// The steps, in their order.
const (
	ByPath     Source = "path given"           // the caller named the file or its folder
	ByVariable Source = "environment variable" // PURECUDA_NVRTC, PURECUDA_CUDA, PURECUDA_NVJITLINK
	ByProcess  Source = "already loaded"       // somebody else in this process has opened it
	ByPython   Source = "Python environment"   // VIRTUAL_ENV, CONDA_PREFIX
	ByToolkit  Source = "CUDA_PATH"            // or CUDA_HOME: the folder of a CUDA toolkit
	BySystem   Source = "system's loader"      // the places that the loader looks in by itself
	ByFolder   Source = "usual folder"         // where toolkits, distributions and WSL put it
)

// A place is somewhere to look: a file, a folder, or a name for the loader.
type place struct {
	source Source
	kind   placeKind
	path   string // of folders, may hold stars
	from   string // the environment variable it comes from, if one
}

type placeKind int

const (
	anything placeKind = iota // a file or a folder: somebody named it
	folder
	file
	bareName // the system's loader knows where
)

// named reports whether somebody chose this very place: there even a stub is
// taken.
func (p place) named() bool { return p.source == ByPath || p.source == ByVariable }
