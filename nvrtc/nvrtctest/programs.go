package nvrtctest

import (
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
)

func createProgram(n *NVRTC, args []uintptr) uintptr {
	count := int(int32(args[3]))
	if args[0] == 0 || args[1] == 0 || count < 0 {
		return uintptr(nvrtc.InvalidInput)
	}
	p := &program{loweredPointers: map[string]uintptr{}}
	p.Version, p.archs = n.config.Version, n.config.Archs
	p.Source, p.Name = dl.GoString(args[1]), "default_program"
	if name := dl.GoString(args[2]); name != "" {
		p.Name = name
	}
	texts, names := stringsAt(args[4], count), stringsAt(args[5], count)
	p.Headers = map[string]string{}
	for i, name := range names {
		if _, twice := p.Headers[name]; twice {
			return uintptr(nvrtc.InvalidInput)
		}
		p.Headers[name] = texts[i]
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last++
	// No address that could be mistaken for one: a small odd number.
	handle := 2*n.last + 1
	n.programs[handle] = p
	putUint64(args[0], uint64(handle))
	return uintptr(nvrtc.Success)
}

func destroyProgram(n *NVRTC, args []uintptr) uintptr {
	p, r := n.program("nvrtcDestroyProgram", word(args[0]))
	if r != nvrtc.Success {
		return uintptr(r)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if p.busy {
		n.misuses = append(n.misuses, "nvrtcDestroyProgram of a program that is being compiled")
	}
	delete(n.programs, word(args[0]))
	putUint64(args[0], 0)
	return uintptr(nvrtc.Success)
}

func addNameExpression(n *NVRTC, args []uintptr) uintptr {
	p, r := n.program("nvrtcAddNameExpression", args[0])
	if r != nvrtc.Success {
		return uintptr(r)
	}
	if p.compiled {
		return uintptr(nvrtc.NoNameExpressionsAfterCompilation)
	}
	p.Exports = append(p.Exports, dl.GoString(args[1]))
	return uintptr(nvrtc.Success)
}

func getLoweredName(n *NVRTC, args []uintptr) uintptr {
	p, r := n.program("nvrtcGetLoweredName", args[0])
	if r != nvrtc.Success {
		return uintptr(r)
	}
	if !p.compiled {
		return uintptr(nvrtc.NoLoweredNamesBeforeCompilation)
	}
	lowered, ok := p.Lowered[dl.GoString(args[1])]
	if !ok {
		return uintptr(nvrtc.NameExpressionNotValid)
	}
	putUint64(args[2], uint64(n.text(lowered)))
	return uintptr(nvrtc.Success)
}

// text is the address of a C string that stays.
func (n *NVRTC) text(s string) uintptr {
	n.mu.Lock()
	defer n.mu.Unlock()
	b, ok := n.texts[s]
	if !ok {
		b = append([]byte(s), 0)
		n.texts[s] = b
	}
	// The map keeps it alive, and Go's heap does not move.
	return uintptr(unsafe.Pointer(&b[0]))
}

func setFlowCallback(n *NVRTC, args []uintptr) uintptr {
	p, r := n.program("nvrtcSetFlowCallback", args[0])
	if r != nvrtc.Success {
		return uintptr(r)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	p.flow, p.payload = args[1], args[2]
	n.callbacks[args[1]]++
	return uintptr(nvrtc.Success)
}

func compileProgram(n *NVRTC, args []uintptr) uintptr {
	p, r := n.program("nvrtcCompileProgram", args[0])
	if r != nvrtc.Success {
		return uintptr(r)
	}
	c := p.Compile
	// A second compile finds the outputs of the first, as with the real ones
	// (11.2 to 12.4 were tried).
	c.Result, c.Log = nvrtc.Success, ""
	c.Options = stringsAt(args[2], int(int32(args[1])))
	c.Headers, c.Exports = maps.Clone(c.Headers), slices.Clone(c.Exports)
	n.mu.Lock()
	if p.busy {
		n.misuses = append(n.misuses, "nvrtcCompileProgram of a program that is being compiled")
	}
	p.busy = true
	n.running++
	c.pch = pch{heap: n.heap, place: fmt.Sprintf("%p %d", n, n.heaps), needs: n.config.PCHHeap, status: nvrtc.NoPCHCreateAttempted}
	flow, payload := p.flow, p.payload
	n.mu.Unlock()
	// Deferred, since the configured function may panic.
	defer func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		p.busy = false
		n.running--
	}()

	stopped := false
	if flow != 0 {
		c.stop = func() bool {
			stop := int32(dl.InvokeCallback(flow, payload, 0)) == 1
			if stopped && !stop {
				n.mu.Lock()
				n.misuses = append(n.misuses, "a flow callback that had said stop said go on")
				n.mu.Unlock()
			}
			stopped = stopped || stop
			return stop
		}
	}
	if n.config.Compile != nil {
		n.config.Compile(&c)
	} else {
		c.Default()
	}
	// Asked once more: a callback must hold to its word until the end.
	if stopped {
		c.Stopped()
	}
	c.stop = nil

	n.mu.Lock()
	defer n.mu.Unlock()
	p.Compile, p.compiled = c, true
	n.compiles = append(n.compiles, c)
	return uintptr(c.Result)
}
