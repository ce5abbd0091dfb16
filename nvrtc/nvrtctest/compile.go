package nvrtctest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
)

// A Compile is one call of nvrtcCompileProgram: what it was given, and, for the
// configured function to set, what comes of it.
//
// Not safe for concurrent use.
type Compile struct {
	Version dl.Version
	Source  string
	Name    string
	Headers map[string]string
	Exports []string // in the order they were added
	Options []string

	Result  nvrtc.Result
	Log     string // without the NUL at its end
	PTX     string
	CUBIN   []byte
	LTOIR   []byte
	OptiXIR []byte
	NVVM    []byte
	TileIR  []byte
	Lowered map[string]string // by export

	stop  func() bool
	archs []int
	pch   pch
}

// Stopped asks the flow callback, as NVRTC does now and then, and says whether
// the compile is to end with nvrtc.Cancelled. Without a callback it is false.
func (c *Compile) Stopped() bool { return c.stop != nil && c.stop() }

// Wait blocks until released is closed, and then is true; or until the flow
// callback says stop: then it sets Result to Cancelled and is false.
func (c *Compile) Wait(released <-chan struct{}) bool {
	for {
		select {
		case <-released:
			return true
		case <-time.After(100 * time.Microsecond):
			if c.Stopped() {
				c.Result = nvrtc.Cancelled
				return false
			}
		}
	}
}

// Default is the outcome of a compile that nothing else was said about. Options
// that no NVRTC knows, and architectures that this one doesn't, are refused in
// NVRTC's words; a line #error in the source fails the compile; else PTX is made
// with an empty kernel for every export and every extern "C" kernel, and a
// lowered name for each export, and the other outputs if the options ask for
// them. The PTX has the texts of the headers in memory, in comments.
func (c *Compile) Default() {
	if c.refuseOptions() || !c.precompile() || c.refuseSource() {
		return
	}
	list := nvrtc.ParseOptions(c.Options)
	arch, ok := list.Arch()
	if !ok {
		arch = nvrtc.Virtual(c.archs[0]/10, c.archs[0]%10)
	}
	c.Lowered = map[string]string{}
	for _, e := range c.Exports {
		c.Lowered[e] = Lower(e)
	}
	ptx := c.ptx(arch)
	_, lto := list.Find("--dlink-time-opt")
	switch {
	case lto:
		c.LTOIR = []byte("LTO IR made from " + ptx)
		c.NVVM = []byte("BC\xc0\xde made from " + ptx)
	default:
		c.PTX = ptx
		if arch.Kind == nvrtc.RealArch {
			c.CUBIN = cubin(ptx)
		}
	}
	if _, ok := list.Find("--optix-ir"); ok {
		c.OptiXIR = []byte("OptiX IR made from " + ptx)
	}
	if strings.Contains(c.Source, "__tile_global__") {
		c.TileIR = []byte("Tile IR made from " + ptx)
	}
}

func (c *Compile) refuseOptions() bool {
	refuse := func(format string, args ...any) bool {
		c.Result, c.Log = nvrtc.InvalidOption, fmt.Sprintf("nvrtc: error: "+format+"\n", args...)
		return true
	}
	seen := map[string]bool{}
	for _, o := range nvrtc.ParseOptions(c.Options) {
		if o.Name == "" {
			return refuse("unrecognized option %s found", strings.TrimSpace(o.Args[0]))
		}
		if o.Name != "--gpu-architecture" {
			continue
		}
		if seen[o.Name] {
			return refuse("%s (-arch) defined more than once", o.Name)
		}
		seen[o.Name] = true
		if arch, err := nvrtc.ParseArch(o.Value); err != nil || !slices.Contains(c.archs, arch.Number()) {
			return refuse("invalid value for --gpu-architecture (-arch)")
		}
	}
	return false
}

func (c *Compile) refuseSource() bool {
	for i, line := range strings.Split(c.Source, "\n") {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "#error "); ok {
			c.Result = nvrtc.Compilation
			c.Log += fmt.Sprintf("%s(%d): catastrophic error: #error directive: %s\n\n1 catastrophic error detected in the compilation of %q.\nCompilation terminated.\n", c.Name, i+1, text, c.Name)
			return true
		}
	}
	return false
}
