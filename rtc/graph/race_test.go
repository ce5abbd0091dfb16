//go:build race

package graph_test

// The race detector takes ten times the time.
const raceDetector = true
