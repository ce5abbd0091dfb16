//go:build !windows

package driver_test

func handleOf(v uintptr) int { return int(v) }
