package abi

import "runtime"

// A DataModel says how wide C's long is: 8 bytes on Linux, 4 on Windows. All
// other types of a kernel have one width everywhere, since device code is always
// 64-bit. NVRTC takes the model of the machine on which it compiles.
//
// The zero value, Host, is the model of the machine on which the program runs.
type DataModel uint8

const (
	Host  DataModel = iota // the model of the running program
	LP64                   // long has 8 bytes: Linux, macOS
	LLP64                  // long has 4 bytes: Windows
)

// HostModel returns the model of the machine on which the program runs: LLP64 on
// Windows, LP64 elsewhere. It never returns Host.
func HostModel() DataModel {
	if runtime.GOOS == "windows" {
		return LLP64
	}
	return LP64
}

// resolve replaces Host, and any value that is none of the three, by HostModel.
func (m DataModel) resolve() DataModel {
	if m == LP64 || m == LLP64 {
		return m
	}
	return HostModel()
}

// String returns "LP64", "LLP64" or "host".
func (m DataModel) String() string {
	switch m {
	case LP64:
		return "LP64"
	case LLP64:
		return "LLP64"
	}
	return "host"
}
