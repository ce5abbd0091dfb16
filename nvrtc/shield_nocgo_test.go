//go:build !cgo

package nvrtc_test

const withCgo = false
