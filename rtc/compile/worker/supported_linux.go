//go:build linux && (amd64 || arm64)

package worker

const supported = true
