//go:build race

package engine

// raceEnabled: kernels may race where a device allows it, so under Go's race detector one goroutine runs each launch.
const raceEnabled = true
