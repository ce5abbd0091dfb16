//go:build !(linux && (amd64 || arm64)) && !(windows && amd64)

package worker

// run is reached by nobody: no Pool has started this.
func (s setup) run() error { return unsupported() }

func selfPath() (string, error) { return "", unsupported() }

func isBroken(error) bool { return false }
