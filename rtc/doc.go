// Package rtc compiles CUDA C++ at run time and launches its kernels: what
// MXNet's mx.rtc does, for Go.
package rtc
