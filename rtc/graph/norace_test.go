//go:build !race

package graph_test

// See race_test.go.
const raceDetector = false
