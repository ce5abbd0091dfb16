package dl

// Not in package syscall.
const (
	sysSeccomp   = 317
	sysPrlimit64 = 302
	auditArch    = 0xc000003e // AUDIT_ARCH_X86_64
)
