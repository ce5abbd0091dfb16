package child

const sysPrlimit64 = 302 // not in package syscall
