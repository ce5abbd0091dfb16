//go:build !(linux && (amd64 || arm64)) && !(windows && amd64)

package worker

const supported = false
