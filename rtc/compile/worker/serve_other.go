//go:build !linux || !(amd64 || arm64)

package worker

// run is reached by nobody: no Pool has started this.
func (s setup) run() error { return unsupported() }
