package nvrtctest

import (
	"encoding/binary"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
)

// A function is one of NVRTC's. Its list of versions is made apart from the one
// of package nvrtc, so that each checks the other.
type function struct {
	since, gone dl.Version
	call        func(n *NVRTC, args []uintptr) uintptr
}

var functions map[string]function

func init() {
	add := func(major, minor int, call func(*NVRTC, []uintptr) uintptr, names ...string) {
		for _, name := range names {
			functions[name] = function{since: dl.Version{Major: major, Minor: minor}, call: call}
		}
	}
	functions = map[string]function{}
	add(7, 0, errorString, "nvrtcGetErrorString")
	add(7, 0, version, "nvrtcVersion")
	add(7, 0, createProgram, "nvrtcCreateProgram")
	add(7, 0, destroyProgram, "nvrtcDestroyProgram")
	add(7, 0, compileProgram, "nvrtcCompileProgram")
	add(8, 0, addNameExpression, "nvrtcAddNameExpression")
	add(8, 0, getLoweredName, "nvrtcGetLoweredName")
	add(11, 2, numSupportedArchs, "nvrtcGetNumSupportedArchs")
	add(11, 2, supportedArchs, "nvrtcGetSupportedArchs")
	add(12, 8, setFlowCallback, "nvrtcSetFlowCallback")
	add(12, 8, getHeap, "nvrtcGetPCHHeapSize")
	add(12, 8, setHeap, "nvrtcSetPCHHeapSize")
	add(12, 8, pchStatus, "nvrtcGetPCHCreateStatus")
	add(12, 8, pchRequired, "nvrtcGetPCHHeapSizeRequired")
	add(13, 3, bundledInfo, "nvrtcGetBundledHeadersInfo")
	add(13, 3, installBundled, "nvrtcInstallBundledHeaders")
	add(13, 3, removeBundled, "nvrtcRemoveBundledHeaders")
	for _, o := range outputs {
		v := o.since
		add(v.Major, v.Minor, o.size, o.name+"Size")
		add(v.Major, v.Minor, o.copy, o.name)
	}
	for _, name := range []string{"nvrtcGetNVVM", "nvrtcGetNVVMSize"} {
		f := functions[name]
		f.gone = dl.Version{Major: 13}
		functions[name] = f
	}
}

// An output is what a pair of functions gives.
type output struct {
	name  string
	since dl.Version
	text  bool // C's strings end with a NUL, which counts
	of    func(*Compile) []byte
}

var outputs = []*output{
	{name: "nvrtcGetProgramLog", since: dl.Version{Major: 7}, text: true, of: func(c *Compile) []byte { return []byte(c.Log) }},
	{name: "nvrtcGetPTX", since: dl.Version{Major: 7}, text: true, of: func(c *Compile) []byte { return []byte(c.PTX) }},
	{name: "nvrtcGetCUBIN", since: dl.Version{Major: 11, Minor: 1}, of: func(c *Compile) []byte { return c.CUBIN }},
	{name: "nvrtcGetNVVM", since: dl.Version{Major: 11, Minor: 4}, of: func(c *Compile) []byte { return c.NVVM }},
	{name: "nvrtcGetLTOIR", since: dl.Version{Major: 12}, of: func(c *Compile) []byte { return c.LTOIR }},
	{name: "nvrtcGetOptiXIR", since: dl.Version{Major: 12}, of: func(c *Compile) []byte { return c.OptiXIR }},
	{name: "nvrtcGetTileIR", since: dl.Version{Major: 13, Minor: 2}, of: func(c *Compile) []byte { return c.TileIR }},
}

func (o *output) bytes(n *NVRTC, args []uintptr) ([]byte, nvrtc.Result) {
	p, r := n.program(o.name, args[0])
	if r != nvrtc.Success {
		return nil, r
	}
	b := o.of(&p.Compile)
	if o.text {
		b = append(b[:len(b):len(b)], 0)
	}
	return b, nvrtc.Success
}

func (o *output) size(n *NVRTC, args []uintptr) uintptr {
	b, r := o.bytes(n, args)
	if r == nvrtc.Success {
		putUint64(args[1], uint64(len(b)))
	}
	return uintptr(r)
}

func (o *output) copy(n *NVRTC, args []uintptr) uintptr {
	b, r := o.bytes(n, args)
	if r == nvrtc.Success {
		copy(dl.Memory(args[1], len(b)), b)
	}
	return uintptr(r)
}

// program finds a program; one that isn't there is a misuse.
func (n *NVRTC) program(function string, handle uintptr) (*program, nvrtc.Result) {
	n.mu.Lock()
	defer n.mu.Unlock()
	p, ok := n.programs[handle]
	if !ok {
		n.misuses = append(n.misuses, function+" of a program that is not there")
		return nil, nvrtc.InvalidProgram
	}
	return p, nvrtc.Success
}

func putUint64(p uintptr, v uint64) { binary.NativeEndian.PutUint64(dl.Memory(p, 8), v) }
func putUint32(p uintptr, v uint32) { binary.NativeEndian.PutUint32(dl.Memory(p, 4), v) }
func word(p uintptr) uintptr        { return uintptr(binary.NativeEndian.Uint64(dl.Memory(p, 8))) }

// stringsAt reads an array of C strings.
func stringsAt(p uintptr, n int) []string {
	var out []string
	for i := range n {
		out = append(out, dl.GoString(word(p+uintptr(8*i))))
	}
	return out
}
