//go:build race

package rtc_test

// The race detector allocates.
const race = true
