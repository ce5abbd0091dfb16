//go:build !((darwin || freebsd || linux || netbsd || windows) && (amd64 || arm64))

package dl

// No Library can be opened on this platform, so nobody has an address to call.
func (f *frame) call() uintptr {
	panic("dl: C functions can't be called on this platform")
}

func (f *frame) callThen(*frame) uintptr { return f.call() }
