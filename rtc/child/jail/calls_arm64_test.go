package jail_test

// Numbers that package syscall doesn't have, or not under one name.
const (
	sysMemfdCreate    = 279
	sysBPF            = 280
	sysUserfaultfd    = 282
	sysProcessVMRead  = 270
	sysProcessVMWrite = 271
	sysSetns          = 268
	sysSeccomp        = 277
	sysPrlimit64      = 261
	sysKcmp           = 272
	sysOpenByHandle   = 265
	sysExecveat       = 281
)
