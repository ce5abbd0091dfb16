// Package nvrtctest is an NVRTC in Go, for tests: it plays any version from 7.0
// to 13.3 by lacking the functions that the version lacked, and it compiles
// nothing but answers as it is told to. What it is given stands behind the same
// seam as the real library, so that package nvrtc cannot tell them apart.
//
//	fake := nvrtctest.New(nvrtctest.Config{Version: dl.Version{Major: 11}})
//	compiler, err := nvrtc.Bind(fake)
//	…
//	fake.Check(t) // nothing leaked, nothing misused
package nvrtctest
