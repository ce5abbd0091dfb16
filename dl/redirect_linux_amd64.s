#include "textflag.h"

// What C code jumps to in place of a function: System V's calling convention,
// on C's stack, without a Go frame. R11 is the caller's to lose at a call;
// every other register reaches the function as it was.
#define STUB(at) \
	CMPL	DI, $63; \
	JHI	pass; \
	MOVQ	stubs<>+(at+8)(SB), R11; \
	BTQ	DI, R11; \
	JCC	pass; \
	XORL	AX, AX; \
	RET; \
pass:	MOVQ	stubs<>+at(SB), R11; \
	JMP	R11

TEXT stub0<>(SB), NOSPLIT|NOFRAME, $0-0
	STUB(0)

TEXT stub1<>(SB), NOSPLIT|NOFRAME, $0-0
	STUB(16)

TEXT stub2<>(SB), NOSPLIT|NOFRAME, $0-0
	STUB(32)

TEXT stub3<>(SB), NOSPLIT|NOFRAME, $0-0
	STUB(48)

TEXT stub4<>(SB), NOSPLIT|NOFRAME, $0-0
	STUB(64)

TEXT stub5<>(SB), NOSPLIT|NOFRAME, $0-0
	STUB(80)

TEXT stub6<>(SB), NOSPLIT|NOFRAME, $0-0
	STUB(96)

TEXT stub7<>(SB), NOSPLIT|NOFRAME, $0-0
	STUB(112)

GLOBL stubs<>(SB), NOPTR, $128

DATA entries<>+0(SB)/8, $stub0<>(SB)
DATA entries<>+8(SB)/8, $stub1<>(SB)
DATA entries<>+16(SB)/8, $stub2<>(SB)
DATA entries<>+24(SB)/8, $stub3<>(SB)
DATA entries<>+32(SB)/8, $stub4<>(SB)
DATA entries<>+40(SB)/8, $stub5<>(SB)
DATA entries<>+48(SB)/8, $stub6<>(SB)
DATA entries<>+56(SB)/8, $stub7<>(SB)
GLOBL entries<>(SB), NOPTR, $64

// func stubTable() *[stubCount]stub
TEXT ·stubTable(SB), NOSPLIT, $0-8
	LEAQ	stubs<>(SB), AX
	MOVQ	AX, ret+0(FP)
	RET

// func stubEntry(i uintptr) uintptr
TEXT ·stubEntry(SB), NOSPLIT, $0-16
	MOVQ	i+0(FP), AX
	LEAQ	entries<>(SB), CX
	MOVQ	(CX)(AX*8), AX
	MOVQ	AX, ret+8(FP)
	RET
