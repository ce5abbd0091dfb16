//go:build (darwin || freebsd || netbsd || windows) && (amd64 || arm64)

package dl

import "github.com/ebitengine/purego"

func (f *frame) call() uintptr {
	r, _, _ := purego.SyscallN(f.fn, f.words[:f.n]...)
	return r
}

// callThen calls next, too, if the low half of f's result is 0.
func (f *frame) callThen(next *frame) uintptr {
	r := f.call()
	if uint32(r) == 0 {
		next.result = next.call()
	}
	return r
}
