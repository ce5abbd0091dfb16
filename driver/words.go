package driver

import "unsafe"

// This file and launch.go are where the package makes machine words of pointers
// by hand. The rule is that of dl.Func.CallSlice: what a word points to is on the
// heap, and its holder keeps it reachable until the call has returned.

// firstByte is the address of b's first byte, null for an empty b.
func firstByte(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// word is the address of *p as a word. The caller keeps p reachable; that it is
// on the heap is seen to here, by a store that never happens.
func word[T any](p *T) uintptr {
	if never {
		sink = p
	}
	return uintptr(unsafe.Pointer(p))
}

var (
	never bool
	sink  any //lint:ignore U1000 written, so that what it is given escapes
)

// foreign is memory of the driver's, not of the Go heap, as bytes.
func foreign(p uintptr, n uint64) []byte {
	// As in dl.GoString: the detour through &p tells vet that the address is C's.
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&p))), n)
}

// pointer is an untyped pointer to *p, for void * parameters.
func pointer[T any](p *T) unsafe.Pointer { return unsafe.Pointer(p) }

// params is the address of the first argument pointer.
func paramsWord(p []unsafe.Pointer) uintptr {
	if len(p) == 0 {
		return 0
	}
	return uintptr(unsafe.Pointer(&p[0]))
}

// A launchConfig is a CUlaunchConfig with its attributes behind it.
type launchConfig struct {
	grid, block [3]uint32
	shared      uint32
	stream      uintptr
	attrs       unsafe.Pointer
	count       uint32

	list [4]launchAttribute
}

func (x *launchConfig) link() { x.attrs = unsafe.Pointer(&x.list[0]) }

// kernelNodeParams is a CUDA_KERNEL_NODE_PARAMS_v2, of which the first version
// is the beginning.
type kernelNodeParams struct {
	function    functionHandle
	grid, block [3]uint32
	shared      uint32
	params      *unsafe.Pointer
	extra       unsafe.Pointer
	kernel      kernelHandle
	context     contextHandle
}

func (k *kernelNodeParams) point(params []unsafe.Pointer) {
	if len(params) > 0 {
		k.params = &params[0]
	}
}

// memcpyParams is a CUDA_MEMCPY3D.
type memcpyParams struct {
	srcX, srcY, srcZ, srcLOD uint64
	srcType                  uint32
	srcHost                  unsafe.Pointer
	srcDevice                Pointer
	srcArray                 uintptr
	reserved0                uintptr
	srcPitch, srcHeight      uint64
	dstX, dstY, dstZ, dstLOD uint64
	dstType                  uint32
	dstHost                  unsafe.Pointer
	dstDevice                Pointer
	dstArray                 uintptr
	reserved1                uintptr
	dstPitch, dstHeight      uint64
	width, height, depth     uint64
}

const onHost, onDevice, unified = 1, 2, 4 // CU_MEMORYTYPE_…

func copyToDevice(dst Pointer, src []byte) *memcpyParams {
	return &memcpyParams{srcType: onHost, srcHost: unsafe.Pointer(unsafe.SliceData(src)), dstType: onDevice, dstDevice: dst, width: uint64(len(src)), height: 1, depth: 1}
}

func copyToHost(dst []byte, src Pointer) *memcpyParams {
	return &memcpyParams{srcType: onDevice, srcDevice: src, dstType: onHost, dstHost: unsafe.Pointer(unsafe.SliceData(dst)), width: uint64(len(dst)), height: 1, depth: 1}
}

// jitOptions is the pair of arrays that carries JIT options. Values are words,
// pointers among them; held keeps those alive.
type jitOptions struct {
	names  []jitOption
	values []uintptr
	held   [][]byte
}

func (j *jitOptions) add(o jitOption, value uintptr) {
	j.names = append(j.names, o)
	j.values = append(j.values, value)
}

func (j *jitOptions) buffer(o, size jitOption, n int) []byte {
	b := make([]byte, n)
	j.held = append(j.held, b)
	j.add(o, uintptr(unsafe.Pointer(&b[0])))
	j.add(size, uintptr(n))
	return b
}

// arrays are the two, and how many, as the driver's functions take them.
func (j *jitOptions) arrays() (uint32, *jitOption, *uintptr) {
	return uint32(len(j.names)), unsafe.SliceData(j.names), unsafe.SliceData(j.values)
}
