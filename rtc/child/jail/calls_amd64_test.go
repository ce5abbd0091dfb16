package jail_test

// Numbers that package syscall doesn't have, or not under one name.
const (
	sysMemfdCreate    = 319
	sysBPF            = 321
	sysUserfaultfd    = 323
	sysProcessVMRead  = 310
	sysProcessVMWrite = 311
	sysSetns          = 308
	sysSeccomp        = 317
	sysPrlimit64      = 302
	sysKcmp           = 312
	sysOpenByHandle   = 304
	sysExecveat       = 322
)
