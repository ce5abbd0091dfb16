// Package dl finds and opens shared libraries at run time and calls their
// functions from Go without cgo. It knows no CUDA function: packages nvrtc and
// driver declare theirs (see [Table]) and bind them to any [Resolver].
package dl
