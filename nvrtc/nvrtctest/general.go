package nvrtctest

import (
	"os"
	"path/filepath"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
)

func errorString(n *NVRTC, args []uintptr) uintptr {
	return n.text(nvrtc.Result(int32(args[0])).Name())
}

func version(n *NVRTC, args []uintptr) uintptr {
	putUint32(args[0], uint32(n.config.Version.Major))
	putUint32(args[1], uint32(n.config.Version.Minor))
	return uintptr(nvrtc.Success)
}

func numSupportedArchs(n *NVRTC, args []uintptr) uintptr {
	putUint32(args[0], uint32(len(n.config.Archs)))
	return uintptr(nvrtc.Success)
}

func supportedArchs(n *NVRTC, args []uintptr) uintptr {
	for i, a := range n.config.Archs {
		putUint32(args[0]+uintptr(4*i), uint32(a))
	}
	return uintptr(nvrtc.Success)
}

// archsOf is what a version supports, near enough.
func archsOf(v dl.Version) []int {
	var archs []int
	for _, row := range []struct {
		arch        int
		since, gone dl.Version
	}{
		{20, dl.Version{}, dl.Version{Major: 9}},
		{30, dl.Version{}, dl.Version{Major: 11}},
		{35, dl.Version{}, dl.Version{Major: 12}},
		{50, dl.Version{}, dl.Version{Major: 13}},
		{52, dl.Version{}, dl.Version{Major: 13}},
		{53, dl.Version{}, dl.Version{Major: 13}},
		{60, dl.Version{Major: 8}, dl.Version{Major: 13}},
		{61, dl.Version{Major: 8}, dl.Version{Major: 13}},
		{62, dl.Version{Major: 8}, dl.Version{Major: 13}},
		{70, dl.Version{Major: 9}, dl.Version{Major: 13}},
		{72, dl.Version{Major: 9, Minor: 1}, dl.Version{Major: 13}},
		{75, dl.Version{Major: 10}, dl.Version{}},
		{80, dl.Version{Major: 11}, dl.Version{}},
		{86, dl.Version{Major: 11, Minor: 1}, dl.Version{}},
		{89, dl.Version{Major: 11, Minor: 8}, dl.Version{}},
		{90, dl.Version{Major: 11, Minor: 8}, dl.Version{}},
		{100, dl.Version{Major: 12, Minor: 8}, dl.Version{}},
		{120, dl.Version{Major: 12, Minor: 8}, dl.Version{}},
		{121, dl.Version{Major: 12, Minor: 9}, dl.Version{}},
	} {
		if v.Compare(row.since) >= 0 && (row.gone == (dl.Version{}) || v.Compare(row.gone) < 0) {
			archs = append(archs, row.arch)
		}
	}
	return archs
}

func getHeap(n *NVRTC, args []uintptr) uintptr {
	n.mu.Lock()
	defer n.mu.Unlock()
	putUint64(args[0], n.heap)
	return uintptr(nvrtc.Success)
}

func setHeap(n *NVRTC, args []uintptr) uintptr {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.heap = uint64(args[0])
	n.heaps++
	return uintptr(nvrtc.Success)
}

func pchStatus(n *NVRTC, args []uintptr) uintptr {
	p, r := n.program("nvrtcGetPCHCreateStatus", args[0])
	if r != nvrtc.Success {
		return uintptr(r)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return uintptr(p.pch.status)
}

func pchRequired(n *NVRTC, args []uintptr) uintptr {
	if _, r := n.program("nvrtcGetPCHHeapSizeRequired", args[0]); r != nvrtc.Success {
		return uintptr(r)
	}
	putUint64(args[1], n.config.PCHHeap)
	return uintptr(nvrtc.Success)
}

// The one bundled header is cuda_fp16.h, without anything in it.
func bundledInfo(n *NVRTC, args []uintptr) uintptr {
	putUint32(args[0], 1)
	putUint64(args[0]+8, 100)
	putUint64(args[0]+16, 1000)
	putUint32(args[0]+24, uint32(n.config.Version.Major))
	putUint32(args[0]+28, uint32(n.config.Version.Minor))
	putUint32(args[0]+32, 1)
	return uintptr(nvrtc.Success)
}

func installBundled(n *NVRTC, args []uintptr) uintptr {
	folder := dl.GoString(args[0])
	err := os.MkdirAll(filepath.Join(folder, "cccl"), 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "cuda_fp16.h"), nil, 0o644)
	}
	return n.bundledResult(err, args[2])
}

func removeBundled(n *NVRTC, args []uintptr) uintptr {
	folder := dl.GoString(args[0])
	_, err := os.Stat(filepath.Join(folder, "cuda_fp16.h"))
	if err == nil {
		err = os.RemoveAll(folder)
	}
	return n.bundledResult(err, args[1])
}

func (n *NVRTC) bundledResult(err error, text uintptr) uintptr {
	if err != nil {
		putUint64(text, uint64(n.text(err.Error())))
		return uintptr(nvrtc.InvalidInput)
	}
	return uintptr(nvrtc.Success)
}
