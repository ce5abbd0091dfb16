package abi

import "github.com/ianlancetaylor/demangle"

// Demangle makes a mangled name readable: "_Z4axpyIfEvPKT_" is
// "void axpy<float>(float const*)", cut at 4,096 bytes. Other names come back as they are.
func Demangle(name string) (readable string) {
	// The library panics on some input that no compiler writes.
	defer func() {
		if recover() != nil {
			readable = name
		}
	}()
	if len(name) > maxMangledLen {
		return name
	}
	return demangle.Filter(name, demangle.MaxLength(maxTypeText))
}
