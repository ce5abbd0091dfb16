package drivertest

import "syscall"

// threads says whether thread tells threads apart.
const threads = true

func thread() int { return syscall.Gettid() }
