//go:build (darwin || freebsd || netbsd || windows) && (amd64 || arm64)

package dl

import "github.com/ebitengine/purego"

func (f *frame) call() uintptr {
	r, _, _ := purego.SyscallN(f.fn, f.words[:f.n]...)
	return r
}
