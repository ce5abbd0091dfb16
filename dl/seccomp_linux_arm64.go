package dl

// Not in package syscall.
const (
	sysSeccomp   = 277
	sysPrlimit64 = 261
	auditArch    = 0xc00000b7 // AUDIT_ARCH_AARCH64
)
