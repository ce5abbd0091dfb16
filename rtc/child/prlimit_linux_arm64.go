package child

const sysPrlimit64 = 261 // not in package syscall under one name for all
