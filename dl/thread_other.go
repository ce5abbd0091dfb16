//go:build !((darwin || freebsd || linux || netbsd || windows) && (amd64 || arm64))

package dl

// No C code can be called on this platform that would need the stack.
func startThread(t *Thread, _ int) error {
	go t.serve()
	return nil
}
