//go:build !cgo && linux && (amd64 || arm64)

package dl

const withCgo = false
