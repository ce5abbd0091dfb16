package driver_test

import "syscall"

func handleOf(v uintptr) syscall.Handle { return syscall.Handle(v) }
