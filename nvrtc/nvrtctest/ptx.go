package nvrtctest

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/purecuda/purecuda/nvrtc"
)

var externC = regexp.MustCompile(`extern\s+"C"\s+__global__\s+void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\(`)

// ptx is PTX that the tools take: kernels without parameters that return.
func (c *Compile) ptx(arch nvrtc.Arch) string {
	var b strings.Builder
	fmt.Fprintf(&b, "//\n// Made by nvrtctest, playing NVRTC %s\n//\n\n.version 6.0\n.target sm_%d%s\n.address_size 64\n%s", c.Version, arch.Number(), arch.Suffix, c.pch.headers)
	kernels := map[string]bool{}
	entry := func(name string) {
		if !kernels[name] {
			kernels[name] = true
			fmt.Fprintf(&b, "\n.visible .entry %s()\n{\n\tret;\n}\n", name)
		}
	}
	for _, e := range c.Exports {
		if !strings.HasPrefix(e, "&") {
			entry(c.Lowered[e])
		}
	}
	for _, m := range externC.FindAllStringSubmatch(c.Source, -1) {
		entry(m[1])
	}
	return b.String()
}

// What Itanium's mangling calls C++'s own types.
var mangled = map[string]string{
	"void": "v", "bool": "b", "char": "c", "signed char": "a", "unsigned char": "h", "short": "s", "unsigned short": "t",
	"int": "i", "unsigned int": "j", "unsigned": "j", "long": "l", "unsigned long": "m", "size_t": "m", "long long": "x",
	"unsigned long long": "y", "float": "f", "double": "d", "__half": "6__half", "__nv_bfloat16": "13__nv_bfloat16",
}

// Lower makes a name for an export that looks like a lowered one: _Z3oneIfE for
// one<float>, its own for a plain name. It knows nothing of the parameters,
// which a real one goes on with.
func Lower(export string) string {
	export = strings.TrimPrefix(strings.TrimSpace(export), "&")
	name, args, ok := strings.Cut(export, "<")
	if !ok {
		return export
	}
	s := fmt.Sprintf("_Z%d%sI", len(name), name)
	for arg := range strings.SplitSeq(strings.TrimSuffix(args, ">"), ",") {
		arg = strings.TrimSpace(arg)
		if m, ok := mangled[arg]; ok {
			s += m
		} else {
			s += fmt.Sprintf("%d%s", len(arg), arg)
		}
	}
	return s + "E"
}
