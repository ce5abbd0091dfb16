//go:build !linux && !windows

package drivertest

// threads says whether thread tells threads apart.
const threads = false

func thread() int { return 0 }
