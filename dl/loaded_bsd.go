//go:build (darwin || freebsd || netbsd) && (amd64 || arm64)

package dl

// There is no CUDA here, so nobody can have loaded it, and what is opened is
// opened by its path.

const noLoad = 0

func loaded(Spec) []string { return nil }

func loadedFrom(uintptr) string { return "" }
