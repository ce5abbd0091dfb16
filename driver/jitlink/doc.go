// Package jitlink is nvJitLink in Go types: it links PTX, cubins, LTO IR and
// objects with device code into one cubin, on a machine that needs no GPU and no
// driver. CUDA has it since 12.0; before, the driver's own [driver.Linker] does
// much the same for PTX and cubins.
//
// Links of different *Link run side by side.
//
// [driver.Linker]: https://pkg.go.dev/github.com/purecuda/purecuda/driver#Linker
package jitlink
