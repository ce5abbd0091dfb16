package nvrtctest

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/nvrtc"
)

// pch is what a compile knows of precompiled headers.
type pch struct {
	heap    uint64 // its size
	place   string // stands for its address
	needs   uint64
	status  nvrtc.Result
	headers string // those that the compile has
}

// pchOptions are those that may differ between two compiles with one file.
var pchOptions = []string{"--pch", "--create-pch", "--use-pch", "--pch-dir", "--pch-messages"}

// precompile does what the options say about precompiled headers, as NVRTC 13.0 does: a
// file is taken that was made for the same heap, options and first directives,
// whatever has become of the headers. Then the compile has the headers that it was
// made of. It is false if the compile ended.
func (c *Compile) precompile() bool {
	c.pch.status, c.pch.headers = nvrtc.NoPCHCreateAttempted, c.headerTexts()
	list := nvrtc.ParseOptions(c.Options)
	if _, ok := list.Find("--pch"); ok {
		c.pch.status = nvrtc.Success
	}
	if o, ok := list.Find("--create-pch"); ok {
		return c.createPCH(o.Value)
	}
	if o, ok := list.Find("--use-pch"); ok {
		return c.usePCH(o.Value)
	}
	return true
}

func (c *Compile) createPCH(file string) bool {
	c.pch.status = nvrtc.Success
	if c.pch.needs > c.pch.heap {
		c.pch.status = nvrtc.PCHCreateHeapExhausted
		return true
	}
	text := strings.Join([]string{c.pch.place, c.commonOptions(), c.directives(), c.pch.headers}, "\x00")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return c.cannotOpen(file)
	}
	return true
}

func (c *Compile) usePCH(file string) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return c.cannotOpen(file)
	}
	parts := strings.Split(string(text), "\x00")
	switch {
	case len(parts) != 4:
		c.Log = fmt.Sprintf("Warning #2226-D: precompiled header file %q not used (because it is incomplete)\n\n", file)
	case parts[0] != c.pch.place:
		c.Log = fmt.Sprintf("Warning #20282-D: incompatible precompiled header (PCH) heap allocation address from PCH file %q.\n\n", file)
	case parts[1] != c.commonOptions():
		c.Log = fmt.Sprintf("Warning #629-D: the command line options do not match those used when precompiled header file %q was created\n\n", file)
	case parts[2] != c.directives():
		c.Log = fmt.Sprintf("Warning #630-D: the initial sequence of preprocessing directives is not compatible with those of precompiled header file %q\n\n", file)
	default:
		c.pch.headers = parts[3]
	}
	return true
}

func (c *Compile) cannotOpen(file string) bool {
	c.Result = nvrtc.Compilation
	c.Log = fmt.Sprintf("Catastrophic error: cannot open precompiled header file %q\n\n1 catastrophic error detected in the compilation of %q.\nCompilation terminated.\n", file, c.Name)
	return false
}

func (c *Compile) commonOptions() string {
	var all []string
	for _, o := range nvrtc.ParseOptions(c.Options) {
		if !slices.Contains(pchOptions, o.Name) {
			all = append(all, o.Args...)
		}
	}
	return strings.Join(all, "\n")
}

// directives are the lines at the beginning of the source that begin with #.
func (c *Compile) directives() string {
	var all []string
	for line := range strings.SplitSeq(c.Source, "\n") {
		if !strings.HasPrefix(line, "#") {
			break
		}
		all = append(all, line)
	}
	return strings.Join(all, "\n")
}

// headerTexts are the headers in memory, as PTX has them.
func (c *Compile) headerTexts() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.Headers)) {
		fmt.Fprintf(&b, "// %s: %q\n", name, c.Headers[name])
	}
	return b.String()
}
