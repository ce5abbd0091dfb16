// Package drivertest is a CUDA driver for tests: a dl.Resolver whose functions
// are Go, so that what a program does to a driver can be seen without a GPU.
//
//	double := drivertest.New(drivertest.Config{Version: dl.Version{Major: 8}})
//	d, err := driver.Bind(double)
//
// It plays any version from 8.0 on by lacking functions; has devices of any
// compute capability; holds memory, so that copies copy; takes PTX and cubins and
// knows their kernels, parameters and variables; runs kernels that the test wrote in
// Go (see [Driver.Kernel]); counts what is alive; records every call; fails, delays and
// breaks on demand; and holds its caller to CUDA's rule that the current context
// belongs to the OS thread.
package drivertest
