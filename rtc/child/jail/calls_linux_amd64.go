package jail

import "syscall"

// Not in package syscall.
const (
	sysSeccomp               = 317
	sysGetrandom             = 318
	sysPrlimit64             = 302
	sysRseq                  = 334
	sysClone3                = 435
	sysLandlockCreateRuleset = 444
	sysLandlockAddRule       = 445
	sysLandlockRestrictSelf  = 446
	auditArch                = 0xc000003e // AUDIT_ARCH_X86_64
)

// alwaysHere are calls that only this architecture has.
var alwaysHere = []uint32{syscall.SYS_TIME}

// names are the calls that ask for a file by its name. A C library before 2.33 has
// the first, newer ones the second.
var names = []uint32{syscall.SYS_STAT, syscall.SYS_NEWFSTATAT}

// triplet is the folder of libraries on systems that have one for each architecture.
const triplet = "x86_64-linux-gnu"
