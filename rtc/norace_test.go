//go:build !race

package rtc_test

// See race_test.go.
const race = false
