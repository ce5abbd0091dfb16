#include "textflag.h"

// What C code jumps to in place of a function: the AAPCS64 calling convention,
// on C's stack, without a Go frame. R16 and R17 are for code between a caller
// and a function; every other register reaches the function as it was.
#define STUB(at) \
	MOVD	$stubs<>+at(SB), R16; \
	CMPW	$63, R0; \
	BHI	pass; \
	MOVD	8(R16), R17; \
	LSR	R0, R17, R17; \
	TBZ	$0, R17, pass; \
	MOVD	ZR, R0; \
	RET; \
pass:	MOVD	(R16), R16; \
	JMP	(R16)

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
	MOVD	$stubs<>(SB), R0
	MOVD	R0, ret+0(FP)
	RET

// func stubEntry(i uintptr) uintptr
TEXT ·stubEntry(SB), NOSPLIT, $0-16
	MOVD	i+0(FP), R0
	MOVD	$entries<>(SB), R1
	MOVD	(R1)(R0<<3), R0
	MOVD	R0, ret+8(FP)
	RET
