package jail

import "syscall"

// Not in package syscall.
const (
	sysSeccomp               = 277
	sysGetrandom             = 278
	sysPrlimit64             = 261
	sysRseq                  = 293
	sysClone3                = 435
	sysLandlockCreateRuleset = 444
	sysLandlockAddRule       = 445
	sysLandlockRestrictSelf  = 446
	auditArch                = 0xc00000b7 // AUDIT_ARCH_AARCH64
)

// alwaysHere are calls that only this architecture has.
var alwaysHere []uint32

// names are the calls that ask for a file by its name.
var names = []uint32{syscall.SYS_FSTATAT}

// triplet is the folder of libraries on systems that have one for each architecture.
const triplet = "aarch64-linux-gnu"
